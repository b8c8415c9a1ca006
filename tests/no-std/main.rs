//! A program without `std` that links the library and runs it. Its
//! exit code is 0 if every check holds, otherwise the number of the first check that does not.
//!
//! It proves that the library needs nothing else, not that its answers are right. The C library starts the program,
//! ends it on a panic, and has `memcpy`.
#![no_std]
#![no_main]

extern crate alloc;

use core::fmt::{self, Write};
use core::panic::PanicInfo;

use simd_iri::{
    ErrorKind, Host, Iri, IriRef, Rule, component::ComponentRule, iri, parser::CpuLevel,
    thin::IriStr,
};

#[link(name = "c")]
unsafe extern "C" {
    safe fn abort() -> !;
}

#[panic_handler]
fn panic(_: &PanicInfo<'_>) -> ! {
    abort()
}

// SAFETY: no other `main` is linked.
#[unsafe(no_mangle)]
extern "C" fn main() -> i32 {
    let checks = [parse, validate, explain, at_every_level, literal, own];
    let failed = checks.iter().position(|check| check().is_none());
    failed.map_or(0, |number| number as i32 + 1)
}

fn holds(condition: bool) -> Option<()> {
    condition.then_some(())
}

/// A text as long as the blocks of every kernel, and a longer one.
const LONG: &str = "https://user@例え.jp:8042/over/there/and/back/again/%E6%97%A5%E6%9C%AC/\
                    and/so/on/and/on/and/on?name=%20ferret&\u{E000}#nose";

fn parse() -> Option<()> {
    let iri = Iri::parse(LONG).ok()?;
    holds(iri.scheme() == "https" && iri.port_u16() == Some(8042) && iri.parts().check(LONG))?;
    holds(iri.host() == Some(Host::RegName("例え.jp")) && iri.fragment() == Some("nose"))?;
    let relative = IriRef::parse_bytes(b"//[::1]/a?b").ok()?;
    holds(matches!(relative.host(), Some(Host::Ipv6(_))) && relative.segments().eq(["a"]))?;
    holds(IriStr::from(iri).view() == iri)
}

fn validate() -> Option<()> {
    holds(Rule::Uri.is_valid("urn:isbn:0") && !Rule::Uri.is_valid(LONG))?;
    holds(!Rule::Iri.is_valid_bytes(b"http://a/\xFF") && !Rule::Iri.is_valid("a b"))?;
    holds(ComponentRule::Isegment.validate("naïve").is_ok())
}

fn explain() -> Option<()> {
    let text = "http://a/?b|c";
    let error = Rule::Iri.parse(text).err()?;
    holds(error.kind() == ErrorKind::NotAllowed && error.span() == (11..12))?;
    let mut message = Message { bytes: [0; 128], length: 0 };
    write!(message, "{error}").ok()?;
    let message = core::str::from_utf8(message.bytes.get(..message.length)?).ok()?;
    holds(message == "'|' at byte 11 is not allowed in a query; write %7C")?;
    holds(Rule::Iri.violations("a: b c").count() == 2)
}

fn at_every_level() -> Option<()> {
    let expected = Rule::Iri.parse(LONG);
    holds(CpuLevel::available().last() == Some(CpuLevel::best()))?;
    holds(CpuLevel::available().all(|level| level.parse(Rule::Iri, LONG) == expected))
}

fn literal() -> Option<()> {
    const HOME: Iri<'_> = iri!("http://example.org/");
    holds(Iri::parse("http://example.org/") == Ok(HOME))
}

fn own() -> Option<()> {
    use simd_iri::{IriBuf, thin::IriArc};

    let owned = IriBuf::from(Iri::parse(LONG).ok()?);
    let refused = IriBuf::try_from(alloc::string::String::from("a b")).err()?;
    holds(owned.view().as_str() == LONG && refused.into_text() == "a b")?;
    holds(IriArc::from(owned.view()).view() == owned.view())
}

/// The buffer for a message without a `String`.
struct Message {
    bytes: [u8; 128],
    length: usize,
}

impl Write for Message {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let end = self.length + text.len();
        let free = self.bytes.get_mut(self.length..end).ok_or(fmt::Error)?;
        free.copy_from_slice(text.as_bytes());
        self.length = end;
        Ok(())
    }
}

mod arena {
    //! An allocator that gives out the memory of an arena and never frees it.

    use core::alloc::{GlobalAlloc, Layout};
    use core::cell::UnsafeCell;
    use core::ptr;
    use core::sync::atomic::{AtomicUsize, Ordering};

    const SIZE: usize = 1 << 16;

    #[repr(align(16))]
    struct Arena {
        bytes: UnsafeCell<[u8; SIZE]>,
        used: AtomicUsize,
    }

    // SAFETY: `used` hands out each byte of the arena once.
    unsafe impl Sync for Arena {}

    // SAFETY: what is handed out lies in the arena, is aligned, and overlaps nothing handed out.
    unsafe impl GlobalAlloc for Arena {
        unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
            if layout.align() > align_of::<Self>() {
                return ptr::null_mut();
            }
            // A multiple of the arena's own alignment keeps the next one aligned.
            let size = layout.size().next_multiple_of(align_of::<Self>());
            let at = self.used.fetch_add(size, Ordering::Relaxed);
            if at.saturating_add(size) > SIZE {
                return ptr::null_mut();
            }
            self.bytes.get().cast::<u8>().wrapping_add(at)
        }

        unsafe fn dealloc(&self, _: *mut u8, _: Layout) {}
    }

    #[global_allocator]
    static ARENA: Arena = Arena { bytes: UnsafeCell::new([0; SIZE]), used: AtomicUsize::new(0) };
}
