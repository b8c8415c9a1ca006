//! What batches want of a kernel beside masks: additions of long numbers, and the places of the bits of a
//! mask.

#[cfg(any(avx2, neon))]
use super::halves::Halves;
use super::scalar::Scalar;
use super::{BLOCK, Simd};

/// What a kernel can do with numbers of many words and with the bits of a mask. The batches want it.
pub(crate) trait Long: Simd {
    /// Adds `other` to `sum`, both numbers of `N` words of 64 bits, the lowest word first. `N` is a
    /// multiple of 8. A carry out of the highest word is lost.
    #[cfg_attr(optimized, inline(always))]
    fn add<const N: usize>(self, sum: &mut [u64; N], other: &[u64; N]) {
        let mut carry = false;
        for (sum, other) in sum.iter_mut().zip(other) {
            let (word, over) = sum.overflowing_add(*other);
            let (word, more) = word.overflowing_add(u64::from(carry));
            (*sum, carry) = (word, over | more);
        }
    }

    /// Writes the place of each bit of a mask, plus `at`, to `places`, in order. Entries past them mean
    /// nothing afterwards.
    #[cfg_attr(optimized, inline(always))]
    fn put(self, mask: u64, at: u32, places: &mut [u32; BLOCK]) {
        let mut bits = mask;
        // Always two places, whether there are two bits or not: the number of bits is hard to predict.
        let twos: &mut [[u32; 2]; BLOCK / 2] = bytemuck::must_cast_mut(places);
        for two in twos {
            for place in two {
                *place = at.wrapping_add(bits.trailing_zeros());
                bits &= bits.wrapping_sub(1);
            }
            if bits == 0 {
                break;
            }
        }
    }
}

impl Long for Scalar {}

#[cfg(any(avx2, neon))]
impl<K: Halves> Long for K {}
