//! The figure that stands for the times of many rounds.

use std::env;

/// The median; not a number if there are no figures.
pub fn median(figures: &[f64]) -> f64 {
    let mut sorted = figures.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted.get(sorted.len() / 2).copied().unwrap_or(f64::NAN)
}

/// The median of the times; or the least of them if the environment variable `LEAST` is set, for a machine with other
/// load.
pub fn time(rounds: &[f64]) -> f64 {
    match env::var_os("LEAST") {
        Some(_) => rounds.iter().copied().fold(f64::INFINITY, f64::min),
        None => median(rounds),
    }
}

/// The median of the ratios of the times of two works in each round; or with `LEAST` the ratio of their least times.
pub fn ratio(rounds: &[[f64; 2]]) -> f64 {
    match env::var_os("LEAST") {
        Some(_) => {
            let least =
                |work: usize| time(&rounds.iter().map(|times| times[work]).collect::<Vec<_>>());
            least(0) / least(1)
        }
        None => median(&rounds.iter().map(|[first, second]| first / second).collect::<Vec<_>>()),
    }
}
