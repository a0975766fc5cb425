//! What every store must do.

mod life;
