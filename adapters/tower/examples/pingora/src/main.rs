//! A proxy of Pingora that checks and normalizes the targets of requests, and makes URIs of the IRIs in responses.
//! Pingora has filters in place of the layers of tower; the methods of the layers do their work.
//!
//! `cargo run -- LISTEN UPSTREAM`, for example `cargo run -- 127.0.0.1:6188 127.0.0.1:8000`.

#![forbid(unsafe_code)]

use std::env;
use std::error::Error;

use async_trait::async_trait;
use http::header::{CONTENT_LOCATION, CONTENT_TYPE, HeaderName, LINK, LOCATION, REFRESH};
use http::{HeaderMap, Uri};
use pingora_core::Result;
use pingora_core::server::Server;
use pingora_core::upstreams::peer::HttpPeer;
use pingora_http::{RequestHeader, ResponseHeader};
use pingora_proxy::{ProxyHttp, Session, http_proxy_service};
use simd_iri_tower::{CheckTarget, NormalizeTarget, UriLocation};

/// The fields of a response that may have IRIs.
const FIELDS: [HeaderName; 4] = [LOCATION, CONTENT_LOCATION, LINK, REFRESH];

struct Filter {
    upstream: String,
    check: CheckTarget,
    normalize: NormalizeTarget,
    locations: UriLocation,
}

impl Filter {
    /// Returns why the target of a request is not valid.
    fn refusal(&self, request: &RequestHeader) -> Option<String> {
        // The target as it came: for an absolute URI, the value of Pingora has only the path.
        match Uri::try_from(request.raw_path()) {
            Ok(uri) => {
                let checked = self.check.check(&request.method, request.version, &uri);
                checked.err().map(|error| error.to_string())
            }
            Err(error) => Some(error.to_string()),
        }
    }
}

#[async_trait]
impl ProxyHttp for Filter {
    type CTX = ();

    fn new_ctx(&self) {}

    async fn request_filter(&self, session: &mut Session, (): &mut ()) -> Result<bool> {
        if let Some(reason) = self.refusal(session.req_header()) {
            let text = format!("The request target is not valid: {reason}\n");
            let mut response = ResponseHeader::build(400, None)?;
            response.insert_header(CONTENT_TYPE, "text/plain; charset=utf-8")?;
            response.insert_header("content-length", text.len().to_string())?;
            session.write_response_header(Box::new(response), false).await?;
            session.write_response_body(Some(text.into()), true).await?;
            return Ok(true);
        }
        if let Some(normal) = self.normalize.normalize(&session.req_header().uri) {
            session.req_header_mut().set_uri(normal);
        }
        Ok(false)
    }

    async fn upstream_peer(&self, _: &mut Session, (): &mut ()) -> Result<Box<HttpPeer>> {
        Ok(Box::new(HttpPeer::new(&self.upstream, false, String::new())))
    }

    async fn response_filter(
        &self,
        _: &mut Session,
        response: &mut ResponseHeader,
        (): &mut (),
    ) -> Result<()> {
        for name in FIELDS {
            let mut mapped = HeaderMap::new();
            for value in response.headers.get_all(&name) {
                mapped.append(&name, value.clone());
            }
            self.locations.map(&mut mapped);
            if mapped.get_all(&name) != response.headers.get_all(&name) {
                response.remove_header(&name);
                for value in mapped.get_all(&name) {
                    response.append_header(name.clone(), value.clone())?;
                }
            }
        }
        Ok(())
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args().skip(1);
    let (Some(listen), Some(upstream)) = (arguments.next(), arguments.next()) else {
        return Err("usage: simd-iri-pingora-example LISTEN UPSTREAM".into());
    };
    let filter = Filter {
        upstream,
        check: CheckTarget::new(),
        normalize: NormalizeTarget::new(),
        locations: UriLocation::new(),
    };
    let mut server = Server::new(None)?;
    server.bootstrap();
    let mut service = http_proxy_service(&server.configuration, filter);
    service.add_tcp(&listen);
    server.add_service(service);
    server.run_forever()
}
