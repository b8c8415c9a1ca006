//! Numbers whose bits stand for the bytes of one block, of two blocks or of eight blocks. *Cursors* move through these
//! numbers: single bits, one in each text.

use core::ops::{BitAnd, BitOr, Not};

/// The masks of one block or of several as one number, whose lowest bit is the first byte.
///
/// A longer text has several such numbers, one after the other. The caller keeps what each number hands to the next
/// number. Before the first number, this is zero.
pub(crate) trait Mask:
    Copy + BitAnd<Output = Self> + BitOr<Output = Self> + Not<Output = Self>
{
    /// Whether the number is in one or two ordinary registers and holds one text.
    const IS_SHORT: bool = false;

    /// Tells whether a bit is set.
    fn any(self) -> bool;

    /// Each bit moved to the next place. `before` is the number before this number: its highest bit becomes the lowest
    /// bit. Then `before` becomes this number.
    #[inline(always)]
    fn next(self, before: &mut Self) -> Self {
        self.ahead::<1>(before)
    }

    /// Each bit moved by `N` places, as [`next`](Self::next) moves it by one. `N` is 1 to 63.
    fn ahead<const N: u32>(self, before: &mut Self) -> Self;

    /// The sum of both numbers and of the carry out of the sum before. Replaces `carry` by the carry out of this sum.
    /// The carry is one bit of the highest mask of `carry`; each kernel chooses the bit. Zero means no carry.
    fn plus(self, other: Self, carry: &mut Self) -> Self;

    /// The same as [`plus`](Self::plus), with fewer steps unless a carry runs through a mask of ones.
    #[inline(always)]
    fn plus_near(self, other: Self, carry: &mut Self) -> Self {
        self.plus(other, carry)
    }

    /// The bits of each text except the first bit of the text. `stop` has the place after each text. `before` is what
    /// the number before this number hands on.
    #[inline(always)]
    fn after_first(self, stop: Self, before: &mut [Self; 2]) -> Self {
        let [moved, carry] = before;
        let after = self.next(moved);
        // A cursor runs from each bit to the next bit, or to the stop of its text. Most numbers do not have a cursor.
        if !(after | *carry).any() {
            return self & !self;
        }
        after.plus(!(self | stop), carry) & self
    }
}

/// One block, or two.
macro_rules! short {
    ($($number:ty)+) => {$(
        impl Mask for $number {
            const IS_SHORT: bool = true;

            #[inline(always)]
            fn any(self) -> bool {
                self != 0
            }

            #[inline(always)]
            fn ahead<const N: u32>(self, before: &mut Self) -> Self {
                let low = *before >> (Self::BITS - N);
                *before = self;
                self << N | low
            }

            #[inline(always)]
            fn plus(self, other: Self, carry: &mut Self) -> Self {
                let (sum, over) = self.overflowing_add(other);
                let (sum, more) = sum.overflowing_add(*carry);
                *carry = Self::from(over | more);
                sum
            }

            #[inline(always)]
            fn after_first(self, _: Self, _: &mut [Self; 2]) -> Self {
                self & self.wrapping_sub(1)
            }
        }
    )+};
}

short!(u64 u128);
