//! The colours of the states, as the style sheet has them: each can be seen on what it stands on, and
//! no two look alike to anyone.
//!
//! Sight without one of the three cones is simulated by the matrices of Machado, Oliveira and Fernandes
//! (2009, full severity) on linear light; how different two colours look is CIEDE2000 (Sharma, Wu and
//! Dalal, 2005); contrast is that of WCAG 2.

/// Linear red, green and blue, from 0 to 1.
type Light = [f64; 3];

/// Lightness and the two axes of CIELAB.
type Lab = [f64; 3];

const STYLE: &str = include_str!("../../style/main.css");

const STATES: [&str; 8] = [
    "scheduled",
    "ready",
    "running",
    "retrying",
    "succeeded",
    "cancelled",
    "dead",
    "blocked",
];

/// What a reader sees with all cones, and without the long, the middle and the short one.
const SIGHTS: [[[f64; 3]; 3]; 4] = [
    [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
    [
        [0.152_286, 1.052_583, -0.204_868],
        [0.114_503, 0.786_281, 0.099_216],
        [-0.003_882, -0.048_116, 1.051_998],
    ],
    [
        [0.367_322, 0.860_646, -0.227_968],
        [0.280_085, 0.672_501, 0.047_413],
        [-0.011_820, 0.042_940, 0.968_881],
    ],
    [
        [1.255_528, -0.076_749, -0.178_779],
        [-0.078_411, 0.930_809, 0.147_602],
        [0.004_733, 0.691_367, 0.303_900],
    ],
];

/// The light (0) and dark (1) value of a variable of the style sheet.
fn colour(name: &str, theme: usize) -> Light {
    let (_, after) = STYLE.split_once(&format!("--{name}: light-dark(")).unwrap();
    let (values, _) = after.split_once(')').unwrap();
    let hex = values.split(", ").nth(theme).unwrap();
    [1, 3, 5].map(|at| {
        let byte = u8::from_str_radix(hex.get(at..at + 2).unwrap(), 16).unwrap();
        let share = f64::from(byte) / 255.0;
        if share <= 0.040_45 {
            share / 12.92
        } else {
            ((share + 0.055) / 1.055).powf(2.4)
        }
    })
}

fn times(matrix: [[f64; 3]; 3], v: [f64; 3]) -> [f64; 3] {
    matrix.map(|row| row.iter().zip(v).map(|(a, b)| a * b).sum())
}

fn luminance([r, g, b]: Light) -> f64 {
    0.2126 * r + 0.7152 * g + 0.0722 * b
}

fn contrast(one: Light, other: Light) -> f64 {
    let (a, b) = (luminance(one) + 0.05, luminance(other) + 0.05);
    a.max(b) / a.min(b)
}

fn lab(light: Light) -> Lab {
    let xyz = times(
        [
            [0.412_456_4, 0.357_576_1, 0.180_437_5],
            [0.212_672_9, 0.715_152_2, 0.072_175_0],
            [0.019_333_9, 0.119_192_0, 0.950_304_1],
        ],
        light,
    );
    let curve = |t: f64| {
        if t > 216.0 / 24_389.0 {
            t.cbrt()
        } else {
            (24_389.0 / 27.0 * t + 16.0) / 116.0
        }
    };
    let [x, y, z] = [xyz[0] / 0.950_47, xyz[1], xyz[2] / 1.088_83].map(curve);
    [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
}

/// CIEDE2000 with all weights 1; the steps are those of the paper.
fn difference(one: Lab, other: Lab) -> f64 {
    let far = |chroma: f64| (chroma.powi(7) / (chroma.powi(7) + 25_f64.powi(7))).sqrt();
    let mean = f64::midpoint(one[1].hypot(one[2]), other[1].hypot(other[2]));
    let stretch = 1.0 + 0.5 * (1.0 - far(mean));
    let [(chroma_1, hue_1), (chroma_2, hue_2)] = [one, other].map(|[_, a, b]| {
        let a = a * stretch;
        (a.hypot(b), b.atan2(a).to_degrees().rem_euclid(360.0))
    });
    let grey = chroma_1 * chroma_2 == 0.0;
    let turn = match hue_2 - hue_1 {
        _ if grey => 0.0,
        turn if turn > 180.0 => turn - 360.0,
        turn if turn < -180.0 => turn + 360.0,
        turn => turn,
    };
    let hue = match hue_1 + hue_2 {
        sum if grey => sum,
        sum if (hue_1 - hue_2).abs() <= 180.0 => f64::midpoint(sum, 0.0),
        sum if sum < 360.0 => f64::midpoint(sum, 360.0),
        sum => f64::midpoint(sum, -360.0),
    };
    let chroma = f64::midpoint(chroma_1, chroma_2);
    let wave = |factor: f64, shift: f64| (factor * hue + shift).to_radians().cos();
    let weight = 1.0 - 0.17 * wave(1.0, -30.0) + 0.24 * wave(2.0, 0.0) + 0.32 * wave(3.0, 6.0)
        - 0.20 * wave(4.0, -63.0);
    let middle = (f64::midpoint(one[0], other[0]) - 50.0).powi(2);
    let by_lightness = (other[0] - one[0]) / (1.0 + 0.015 * middle / (20.0 + middle).sqrt());
    let by_chroma = (chroma_2 - chroma_1) / (1.0 + 0.045 * chroma);
    let by_hue = 2.0 * (chroma_1 * chroma_2).sqrt() * (turn.to_radians() / 2.0).sin()
        / (1.0 + 0.015 * chroma * weight);
    let blue = 60.0 * (-((hue - 275.0) / 25.0).powi(2)).exp();
    let together = -2.0 * far(chroma) * blue.to_radians().sin() * by_chroma * by_hue;
    (by_lightness.powi(2) + by_chroma.powi(2) + by_hue.powi(2) + together).sqrt()
}

#[test]
fn the_difference_agrees_with_the_pairs_of_its_paper() {
    for (one, other, known) in [
        ([50.0, 2.6772, -79.7751], [50.0, 0.0, -82.7485], 2.0425),
        ([50.0, -1.0, 2.0], [50.0, 0.0, 0.0], 2.3669),
        (
            [2.0776, 0.0795, -1.1350],
            [0.9033, -0.0636, -0.5514],
            0.9082,
        ),
    ] {
        assert!((difference(one, other) - known).abs() < 0.0001);
    }
}

#[test]
fn every_state_can_be_seen_on_page_and_panel() {
    for theme in [0, 1] {
        for state in STATES {
            let colour_of_state = colour(&format!("state-{state}"), theme);
            for ground in ["page", "panel"] {
                let contrast = contrast(colour_of_state, colour(ground, theme));
                assert!(
                    contrast >= 3.0,
                    "{state} on {ground}, theme {theme}: {contrast}"
                );
            }
        }
    }
}

#[test]
fn no_two_states_look_alike_to_anyone() {
    for (theme, least) in [(0, 16.1), (1, 17.8)] {
        for sight in SIGHTS {
            let seen = STATES.map(|state| {
                let light = times(sight, colour(&format!("state-{state}"), theme));
                lab(light.map(|part| part.clamp(0.0, 1.0)))
            });
            for (at, one) in seen.iter().enumerate() {
                for (other, name) in seen.iter().zip(STATES).skip(at + 1) {
                    let apart = difference(*one, *other);
                    assert!(
                        apart >= least,
                        "{} and {name}, theme {theme}: {apart}",
                        STATES[at]
                    );
                }
            }
        }
    }
}

#[test]
fn words_can_be_read_on_page_and_panel() {
    for theme in [0, 1] {
        for ink in ["ink", "ink-2", "ink-3"] {
            for ground in ["page", "panel"] {
                let contrast = contrast(colour(ink, theme), colour(ground, theme));
                assert!(
                    contrast >= 4.5,
                    "{ink} on {ground}, theme {theme}: {contrast}"
                );
            }
        }
    }
}
