//! The value of `H`: the same for a schedule's name on every machine and in every release.

use super::field::Place;

/// A number that depends on the schedule's name and the field, and on nothing else.
///
/// FNV-1a, then a finishing mix, since the low bits of FNV alone differ little between short names.
pub(crate) fn hash(seed: &str, place: Place) -> u64 {
    let fnv = place
        .name()
        .bytes()
        .chain([0])
        .chain(seed.bytes())
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
    let mixed = (fnv ^ fnv >> 33).wrapping_mul(0xff51_afd7_ed55_8ccd);
    mixed ^ mixed >> 33
}

/// A value from `low` to `high`, both included.
pub(crate) fn pick(seed: &str, place: Place, low: u8, high: u8) -> u8 {
    let size = u64::from(high - low) + 1;
    u8::try_from(hash(seed, place) % size).map_or(low, |offset| low + offset)
}
