//! The layers around a router of axum.

use axum::extract::Request;
use axum::http::{HeaderValue, header};
use axum::response::IntoResponse;
use axum::routing::get;
use axum::{Router, ServiceExt};
use simd_iri_tower::{CheckTarget, NormalizeTarget, UriLocation};
use tower_layer::Layer;

use crate::support::{Server, told};

#[test]
fn routes_are_chosen_by_the_normal_form() {
    let server = Server::start(|listener| async {
        let location = || async {
            [(header::LOCATION, HeaderValue::from_bytes("/é".as_bytes()).unwrap())].into_response()
        };
        let router = Router::new()
            .route("/~ann/{file}", get(|request: Request| async move { told(&request) }))
            .route("/moved", get(location))
            .layer(UriLocation::new());
        let service = CheckTarget::new().layer(NormalizeTarget::new().layer(router));
        axum::serve(listener, ServiceExt::<Request>::into_make_service(service)).await.unwrap();
    });
    let answer = server.get("/x/../%7Eann/a%2fb");
    assert_eq!((answer.status, &*answer.body), (200, "/~ann/a%2Fb\n/x/../%7Eann/a%2fb\n"));
    assert_eq!(server.get("/~ann/a/b").status, 404);
    let answer = server.get("/a|b");
    assert!(answer.status == 400 && answer.body.contains("byte: 2\n"), "{answer:?}");
    assert_eq!(server.get("/moved").fields("location"), [b"/%C3%A9"]);
}
