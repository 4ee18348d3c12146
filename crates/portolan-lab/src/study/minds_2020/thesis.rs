//! What chapter 5 of the thesis prints, and what is expected of ours.

/// The ratio of the length of walks to A*'s where nothing is known, at most, and where three quarters are known (section 5.6).
pub(super) const RATIOS: [(f64, f64); 2] = [(0.0, 3.6), (75.0, 1.07)];

/// The most that is allowed for ours at these percent of knowledge.
pub(super) const MOST: [(f64, f64); 2] = [(0.0, 3.6), (75.0, 1.10)];

/// The four settings of the second experiment, figure 5.11.
pub(super) const EXPERIMENT: [(&str, &str); 4] = [
    ("A", "knowledge=0,delta=-1,stretch=10"),
    ("B", "knowledge=35,delta=-0.8,stretch=8"),
    ("C", "knowledge=70,delta=-0.6,stretch=6"),
    ("D", "knowledge=100,delta=-0.4,stretch=4"),
];
