//! What a call returns ([`PortolanStatus`]), and the words for the latest failure of a thread.
//!
//! Not here: what can go wrong in each call.
#![allow(unsafe_code, reason = "C functions have names that the linker knows")]

use std::cell::RefCell;
use std::ffi::{CString, c_char};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// How a call ended. What is said about results holds if it is `PORTOLAN_STATUS_OK`; otherwise nothing is written or changed.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
#[repr(C)]
pub enum PortolanStatus {
    /// The call did what it says.
    Ok = 0,
    /// A pointer is null, a count or a number is at fault, or a text is not UTF-8.
    Argument = 1,
    /// A handle names nothing: it was freed, or names an object of another kind.
    Handle = 2,
    /// A world cannot be made or edited so.
    World = 3,
    /// There is no such algorithm or setting, or the algorithm does not run on this world.
    Algorithm = 4,
    /// The planner knows another world or an earlier state of this one: call `portolan_planner_sync`.
    Stale = 5,
    /// Start or goal lies off the map, or the start is blocked.
    Query = 6,
    /// A chart cannot be written or opened.
    Chart = 7,
    /// A fault of Portolan itself. Please report it.
    Internal = 8,
}

/// Why a call failed.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) status: PortolanStatus,
    pub(crate) words: String,
}

impl Failure {
    pub(crate) fn new(status: PortolanStatus, words: impl ToString) -> Failure {
        Failure { status, words: words.to_string() }
    }

    pub(crate) fn argument(words: impl ToString) -> Failure {
        Failure::new(PortolanStatus::Argument, words)
    }
}

thread_local! {
    /// The words for the latest failure on this thread.
    static LATEST: RefCell<CString> = RefCell::default();
}

/// Runs a call. Notes the words if it fails or panics, and returns its status.
pub(crate) fn guarded(call: impl FnOnce() -> Result<(), Failure>) -> PortolanStatus {
    let failure = match catch_unwind(AssertUnwindSafe(call)) {
        Ok(Ok(())) => return PortolanStatus::Ok,
        Ok(Err(failure)) => failure,
        Err(panic) => {
            let said = panic.downcast_ref::<String>().map(String::as_str).or_else(|| panic.downcast_ref().copied());
            let words = format!("a fault of Portolan: {}", said.unwrap_or("it panicked"));
            Failure::new(PortolanStatus::Internal, words)
        }
    };
    let words = CString::new(failure.words.replace('\0', " ")).unwrap_or_default();
    LATEST.with(|latest| *latest.borrow_mut() = words);
    failure.status
}

/// Returns the words for the latest call on this thread that failed; empty if none has. They stay readable until the next
/// call on this thread that fails.
#[unsafe(no_mangle)]
pub extern "C" fn portolan_last_error() -> *const c_char {
    LATEST.with(|latest| latest.borrow().as_ptr())
}
