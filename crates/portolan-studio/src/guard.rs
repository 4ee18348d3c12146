//! Which requests are answered: those of pages that came from this server, sent to `localhost` or to an IP address of
//! this machine.
//!
//! Every web page that is open in a browser can reach a server on the machine of that browser. A request of a foreign
//! page carries the page's `Origin`. If a foreign name was made to point to this machine, the request carries that name
//! as `Host`. Both are refused.
//!
//! Not here: what is served if the request is not refused.

use axum::http::header::{HOST, HeaderName, HeaderValue, ORIGIN};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use std::net::{IpAddr, SocketAddr};

/// Headers of every response: the page may load only what comes from this server, and no other page may show it in a
/// frame. Inline styles are allowed because a report brings its own style, and the page shows reports in frames, to
/// which the rules of the page apply too.
const HEADERS: [(&str, &str); 5] = [
    (
        "content-security-policy",
        "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; connect-src 'self'; \
         frame-src blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    ),
    ("x-content-type-options", "nosniff"),
    ("referrer-policy", "no-referrer"),
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-resource-policy", "same-origin"),
];

/// Why a request is refused.
#[derive(Copy, Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub(crate) enum Refused {
    #[error("This server answers only under the address it was started with.")]
    Host,
    #[error("This server answers only pages that came from it.")]
    Origin,
}

impl IntoResponse for Refused {
    fn into_response(self) -> Response {
        (StatusCode::FORBIDDEN, format!("{self}\n")).into_response()
    }
}

/// Checks that a request with these headers may be answered. A request for a socket must have an origin.
pub(crate) fn check(address: SocketAddr, headers: &HeaderMap, is_socket: bool) -> Result<(), Refused> {
    let text = |name: HeaderName| headers.get(name).map(|value| value.to_str().unwrap_or_default());
    let host = text(HOST).filter(|host| is_ours(address, host)).ok_or(Refused::Host)?;
    match text(ORIGIN) {
        Some(origin) if origin.strip_prefix("http://") == Some(host) => Ok(()),
        None if !is_socket => Ok(()),
        _ => Err(Refused::Origin),
    }
}

/// Returns whether a `Host` is an address of this server: a loopback address, the address that the server listens on
/// or, if that is not a loopback address, any IP address. Other names are refused, since a foreign name can be made to
/// point here.
fn is_ours(address: SocketAddr, host: &str) -> bool {
    let (name, port) = match host.rsplit_once(':') {
        Some((name, port)) if !port.ends_with(']') => (name, port.parse().ok()),
        _ => (host, Some(80)),
    };
    let literal = name.strip_prefix('[').and_then(|name| name.strip_suffix(']'));
    let ip: Option<IpAddr> = match literal {
        Some(literal) => literal.parse().ok().map(IpAddr::V6),
        None => name.parse().ok().map(IpAddr::V4),
    };
    let is_loopback = name == "localhost" || ["127.0.0.1", "[::1]"].contains(&name);
    port == Some(address.port())
        && (is_loopback || (!address.ip().is_loopback() && ip.is_some()) || ip == Some(address.ip()))
}

/// Adds the headers that every response carries.
pub(crate) fn seal(mut response: Response) -> Response {
    for (name, value) in HEADERS {
        response.headers_mut().insert(HeaderName::from_static(name), HeaderValue::from_static(value));
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(address: &str, host: &str, origin: Option<&str>, is_socket: bool) -> Result<(), Refused> {
        let mut headers = HeaderMap::new();
        headers.insert(HOST, host.parse().unwrap());
        if let Some(origin) = origin {
            headers.insert(ORIGIN, origin.parse().unwrap());
        }
        check(address.parse().unwrap(), &headers, is_socket)
    }

    #[test]
    fn only_our_own_addresses_are_answered() {
        let here = "127.0.0.1:7171";
        for host in ["localhost:7171", "127.0.0.1:7171", "[::1]:7171"] {
            assert_eq!(judged(here, host, None, false), Ok(()), "{host}");
            assert_eq!(judged(here, host, Some(&format!("http://{host}")), true), Ok(()), "{host}");
        }
        for host in [
            "evil.example:7171",
            "localhost:80",
            "localhost",
            "10.0.0.9:7171",
            "",
            "localhost.evil.example:7171",
            "[::1]",
            "127.0.0.1:7171:7171",
        ] {
            assert_eq!(judged(here, host, None, false), Err(Refused::Host), "{host}");
        }
        assert_eq!(check(here.parse().unwrap(), &HeaderMap::new(), false), Err(Refused::Host));
        assert_eq!(judged("127.0.0.1:80", "localhost", None, false), Ok(()));
    }

    #[test]
    fn listening_elsewhere_takes_addresses_but_no_names() {
        for host in ["192.168.1.7:7171", "[fe80::1]:7171", "localhost:7171"] {
            assert_eq!(judged("0.0.0.0:7171", host, None, false), Ok(()), "{host}");
        }
        assert_eq!(judged("0.0.0.0:7171", "evil.example:7171", None, false), Err(Refused::Host));
        assert_eq!(judged("127.0.0.2:7171", "127.0.0.2:7171", None, false), Ok(()));
    }

    #[test]
    fn only_our_own_pages_are_answered() {
        let here = "127.0.0.1:7171";
        let host = "localhost:7171";
        for origin in
            ["http://evil.example", "http://localhost:8000", "null", "https://localhost:7171", "http://127.0.0.1:7171"]
        {
            assert_eq!(judged(here, host, Some(origin), false), Err(Refused::Origin), "{origin}");
            assert_eq!(judged(here, host, Some(origin), true), Err(Refused::Origin), "{origin}");
        }
        assert_eq!(judged(here, host, None, true), Err(Refused::Origin));
    }
}
