//! A server of axum with the three layers.
//!
//! `cargo run --example axum -- 127.0.0.1:3000`, and then, for example, `curl -i 127.0.0.1:3000/%7Eann`.

use std::env;
use std::error::Error;

use axum::extract::{Path, Request};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Router, ServiceExt};
use simd_iri_tower::{CheckTarget, NormalizeTarget, RawTarget, UriLocation};
use tower_layer::Layer;

/// Shows what the handler gets.
async fn show(Path(user): Path<String>, request: Request) -> String {
    let (target, raw) = (request.uri(), RawTarget::of(&request));
    format!("user {user}, target {target}, sent as {raw}\n")
}

/// Answers with a `Location` in raw UTF-8, as many programs do.
async fn redirect() -> Result<Response, StatusCode> {
    let location = HeaderValue::from_bytes("/~ann?in=São+Paulo".as_bytes());
    let location = location.map_err(|_| StatusCode::INTERNAL_SERVER_ERROR)?;
    Ok((StatusCode::FOUND, [(header::LOCATION, location)]).into_response())
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let address = env::args().nth(1).unwrap_or_else(|| "127.0.0.1:3000".into());
    let locations = UriLocation::new();
    let left = locations.left();
    let router = Router::new()
        .route("/~{user}", get(show))
        .route("/moved", get(redirect))
        .route("/left", get(async move || format!("{} references left\n", left.get())))
        .layer(locations);
    // The layers are around the router, because it chooses the route before its own layers run. The target is checked
    // in the form in which it came.
    let service = CheckTarget::new().layer(NormalizeTarget::new().layer(router));

    let listener = tokio::net::TcpListener::bind(address).await?;
    println!("http://{}", listener.local_addr()?);
    axum::serve(listener, ServiceExt::<Request>::into_make_service(service)).await?;
    Ok(())
}
