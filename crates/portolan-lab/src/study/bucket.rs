//! Samples in buckets of equal width, as the figures of the papers show them, and their means.

/// The samples whose length is at least `from` and less than `to`.
pub(super) struct Bucket<'a, T> {
    pub(super) from: f64,
    pub(super) to: f64,
    pub(super) samples: Vec<&'a T>,
}

impl<T> Bucket<'_, T> {
    pub(super) fn mean(&self, value: impl Fn(&T) -> f64) -> f64 {
        mean(self.samples.iter().map(|sample| value(sample)))
    }
}

/// Returns the samples in buckets by length, the shortest first, without empty buckets.
pub(super) fn by_length<T>(samples: &[T], width: f64, length: impl Fn(&T) -> f64) -> Vec<Bucket<'_, T>> {
    let mut buckets: Vec<Bucket<T>> = Vec::new();
    for sample in samples {
        let index = (length(sample) / width).floor() as usize;
        while buckets.len() <= index {
            let from = buckets.len() as f64 * width;
            buckets.push(Bucket { from, to: from + width, samples: Vec::new() });
        }
        buckets[index].samples.push(sample);
    }
    buckets.retain(|bucket| !bucket.samples.is_empty());
    buckets
}

/// Returns the mean, 0 of no values.
pub(super) fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let (count, sum) = values.fold((0_u32, 0.0), |(count, sum), value| (count + 1, sum + value));
    if count == 0 { 0.0 } else { sum / f64::from(count) }
}

/// Returns the greatest value, 0 of no values.
pub(super) fn greatest(values: impl Iterator<Item = f64>) -> f64 {
    values.reduce(f64::max).unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bucket_holds_its_lower_end_but_not_its_upper() {
        let lengths = [0.0, 9.99, 10.0, 35.0, 5.0];
        let buckets = by_length(&lengths, 10.0, |&length| length);
        let shape: Vec<(f64, usize)> = buckets.iter().map(|bucket| (bucket.from, bucket.samples.len())).collect();
        assert_eq!(shape, [(0.0, 3), (10.0, 1), (30.0, 1)]);
        assert_eq!((buckets[2].from, buckets[2].to), (30.0, 40.0));
        assert!((buckets[0].mean(|&length| length) - 14.99 / 3.0).abs() < 1e-12);
    }

    #[test]
    fn nothing_has_no_buckets_and_a_mean_of_nought() {
        assert!(by_length(&[], 10.0, |&length: &f64| length).is_empty());
        assert_eq!((mean(std::iter::empty()), greatest(std::iter::empty())), (0.0, 0.0));
        assert!(greatest([-3.0, -2.0].into_iter()) < -1.0, "what is below nought stays there");
    }
}
