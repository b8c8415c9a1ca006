/*
 * IRIs in nginx: checks, repairs and normalizes the targets of requests, and makes URIs of the references in the headers
 * of responses. README.md describes the directives and the variables. All rules are in the library (simd_iri.h).
 *
 * A target is rewritten in the phase SERVER_REWRITE, before the location is chosen. nginx then reads the new target by
 * its own rules, so that $uri, the location and what proxy_pass sends come from one text.
 */
#include <ngx_config.h>
#include <ngx_core.h>
#include <ngx_http.h>

#include <simd_iri.h>


#define NGX_HTTP_IRI_OFF        0
#define NGX_HTTP_IRI_REPORT     1
#define NGX_HTTP_IRI_CHECK      2
#define NGX_HTTP_IRI_NORMALIZE  3

/* Longer than most messages and targets. */
#define NGX_HTTP_IRI_MESSAGE    256
#define NGX_HTTP_IRI_TEXT       1024


typedef struct {
    ngx_uint_t  request;
    ngx_flag_t  repair;
    ngx_uint_t  key_level;
} ngx_http_iri_srv_conf_t;


typedef struct {
    ngx_flag_t  location;
} ngx_http_iri_loc_conf_t;


typedef struct {
    /* The references in headers of the response that no URI could be made of. */
    ngx_uint_t  left;
} ngx_http_iri_ctx_t;


/* A function of the library that makes a text of a text. */
typedef ptrdiff_t (*ngx_http_iri_make_pt)(uint32_t number, const char *text,
    size_t length, char *buffer, size_t capacity, simd_iri_error *error);


static ngx_int_t ngx_http_iri_add_variables(ngx_conf_t *cf);
static ngx_int_t ngx_http_iri_init(ngx_conf_t *cf);
static void *ngx_http_iri_create_srv_conf(ngx_conf_t *cf);
static char *ngx_http_iri_merge_srv_conf(ngx_conf_t *cf, void *parent,
    void *child);
static void *ngx_http_iri_create_loc_conf(ngx_conf_t *cf);
static char *ngx_http_iri_merge_loc_conf(ngx_conf_t *cf, void *parent,
    void *child);


static ngx_conf_enum_t  ngx_http_iri_request[] = {
    { ngx_string("off"), NGX_HTTP_IRI_OFF },
    { ngx_string("report"), NGX_HTTP_IRI_REPORT },
    { ngx_string("check"), NGX_HTTP_IRI_CHECK },
    { ngx_string("normalize"), NGX_HTTP_IRI_NORMALIZE },
    { ngx_null_string, 0 }
};


static ngx_conf_enum_t  ngx_http_iri_key_level[] = {
    { ngx_string("syntax"), SIMD_IRI_LEVEL_SYNTAX },
    { ngx_string("scheme"), SIMD_IRI_LEVEL_SCHEME },
    { ngx_string("scheme-idna"), SIMD_IRI_LEVEL_SCHEME_IDNA },
    { ngx_null_string, 0 }
};


static ngx_command_t  ngx_http_iri_commands[] = {

    { ngx_string("iri_request"),
      NGX_HTTP_MAIN_CONF|NGX_HTTP_SRV_CONF|NGX_CONF_TAKE1,
      ngx_conf_set_enum_slot,
      NGX_HTTP_SRV_CONF_OFFSET,
      offsetof(ngx_http_iri_srv_conf_t, request),
      &ngx_http_iri_request },

    { ngx_string("iri_repair"),
      NGX_HTTP_MAIN_CONF|NGX_HTTP_SRV_CONF|NGX_CONF_FLAG,
      ngx_conf_set_flag_slot,
      NGX_HTTP_SRV_CONF_OFFSET,
      offsetof(ngx_http_iri_srv_conf_t, repair),
      NULL },

    { ngx_string("iri_key_level"),
      NGX_HTTP_MAIN_CONF|NGX_HTTP_SRV_CONF|NGX_CONF_TAKE1,
      ngx_conf_set_enum_slot,
      NGX_HTTP_SRV_CONF_OFFSET,
      offsetof(ngx_http_iri_srv_conf_t, key_level),
      &ngx_http_iri_key_level },

    { ngx_string("iri_location"),
      NGX_HTTP_MAIN_CONF|NGX_HTTP_SRV_CONF|NGX_HTTP_LOC_CONF|NGX_CONF_FLAG,
      ngx_conf_set_flag_slot,
      NGX_HTTP_LOC_CONF_OFFSET,
      offsetof(ngx_http_iri_loc_conf_t, location),
      NULL },

      ngx_null_command
};


static ngx_http_module_t  ngx_http_iri_module_ctx = {
    ngx_http_iri_add_variables,            /* preconfiguration */
    ngx_http_iri_init,                     /* postconfiguration */

    NULL,                                  /* create main configuration */
    NULL,                                  /* init main configuration */

    ngx_http_iri_create_srv_conf,          /* create server configuration */
    ngx_http_iri_merge_srv_conf,           /* merge server configuration */

    ngx_http_iri_create_loc_conf,          /* create location configuration */
    ngx_http_iri_merge_loc_conf            /* merge location configuration */
};


ngx_module_t  ngx_http_iri_module = {
    NGX_MODULE_V1,
    &ngx_http_iri_module_ctx,              /* module context */
    ngx_http_iri_commands,                 /* module directives */
    NGX_HTTP_MODULE,                       /* module type */
    NULL,                                  /* init master */
    NULL,                                  /* init module */
    NULL,                                  /* init process */
    NULL,                                  /* init thread */
    NULL,                                  /* exit thread */
    NULL,                                  /* exit process */
    NULL,                                  /* exit master */
    NGX_MODULE_V1_PADDING
};


static ngx_http_output_header_filter_pt  ngx_http_next_header_filter;


/*
 * Makes a text of a text. *out is the text itself if nothing changes, and
 * otherwise in memory of the request, with a NUL after it. NGX_DECLINED means
 * that the library refuses the text, and *error says why.
 */

static ngx_int_t
ngx_http_iri_make(ngx_http_request_t *r, ngx_http_iri_make_pt make,
    uint32_t number, const ngx_str_t *text, ngx_str_t *out,
    simd_iri_error *error)
{
    char       short_text[NGX_HTTP_IRI_TEXT];
    u_char    *data;
    ptrdiff_t  length;

    length = make(number, (char *) text->data, text->len, short_text,
                  sizeof(short_text), error);
    if (length < 0) {
        return NGX_DECLINED;
    }

    if ((size_t) length == text->len && text->len < sizeof(short_text)
        && ngx_memcmp(short_text, text->data, text->len) == 0)
    {
        *out = *text;
        return NGX_OK;
    }

    data = ngx_pnalloc(r->pool, length + 1);
    if (data == NULL) {
        return NGX_ERROR;
    }

    if ((size_t) length < sizeof(short_text)) {
        ngx_memcpy(data, short_text, length + 1);

    } else if (make(number, (char *) text->data, text->len, (char *) data,
                    length + 1, error)
               != length)
    {
        return NGX_ERROR;
    }

    out->data = data;
    out->len = length;

    return NGX_OK;
}


static ptrdiff_t
ngx_http_iri_host(uint32_t number, const char *text, size_t length,
    char *buffer, size_t capacity, simd_iri_error *error)
{
    return simd_iri_host_to_unicode(text, length, buffer, capacity, error);
}


static ptrdiff_t
ngx_http_iri_names(uint32_t number, const char *text, size_t length,
    char *buffer, size_t capacity, simd_iri_error *error)
{
    return simd_iri_target_names(text, length, buffer, capacity, error);
}


/*
 * Returns the target in origin-form. nginx has cut scheme and authority from a
 * target in absolute-form; an empty path is a slash (RFC 9110, section 4.2.3).
 */

static ngx_int_t
ngx_http_iri_target(ngx_http_request_t *r, ngx_str_t *target)
{
    u_char  *data;

    *target = r->unparsed_uri;

    if (target->len == 0 || target->data[0] != '?') {
        return NGX_OK;
    }

    data = ngx_pnalloc(r->pool, target->len + 1);
    if (data == NULL) {
        return NGX_ERROR;
    }

    data[0] = '/';
    ngx_memcpy(data + 1, r->unparsed_uri.data, r->unparsed_uri.len);
    target->data = data;
    target->len++;

    return NGX_OK;
}


/*
 * Replaces the target of the request. nginx reads it as it reads the target of
 * a request line: it decodes the path, merges slashes if it is told to, and
 * finds the arguments.
 */

static ngx_int_t
ngx_http_iri_set_target(ngx_http_request_t *r, ngx_str_t *target)
{
    ngx_str_t                  uri;
    ngx_http_core_srv_conf_t  *cscf;

    uri = r->uri;

    r->uri_start = target->data;
    r->uri_end = target->data + target->len;
    r->args_start = NULL;
    r->uri_ext = NULL;
    r->complex_uri = 0;
    r->quoted_uri = 0;
    r->plus_in_uri = 0;
    r->empty_path_in_uri = 0;
    ngx_str_null(&r->args);
    ngx_str_null(&r->exten);

    if (ngx_http_parse_uri(r) != NGX_OK) {
        return NGX_HTTP_BAD_REQUEST;
    }

    r->uri.len = (r->args_start ? r->args_start - 1 : r->uri_end)
                 - r->uri_start;
    r->uri.data = r->uri_start;

    if (r->complex_uri || r->quoted_uri) {
        r->uri.data = ngx_pnalloc(r->pool, r->uri.len);
        if (r->uri.data == NULL) {
            r->uri = uri;
            return NGX_HTTP_INTERNAL_SERVER_ERROR;
        }

        cscf = ngx_http_get_module_srv_conf(r, ngx_http_core_module);

        if (ngx_http_parse_complex_uri(r, cscf->merge_slashes) != NGX_OK) {
            r->uri = uri;
            return NGX_HTTP_BAD_REQUEST;
        }
    }

    /* Otherwise ngx_http_parse_complex_uri() has set it. */

    if (r->uri_ext) {
        r->exten.len = (r->args_start ? r->args_start - 1 : r->uri_end)
                       - r->uri_ext;
        r->exten.data = r->uri_ext;
    }

    if (r->args_start && r->uri_end > r->args_start) {
        r->args.len = r->uri_end - r->args_start;
        r->args.data = r->args_start;
    }

    r->unparsed_uri = *target;
    r->valid_unparsed_uri = 1;

    return NGX_OK;
}


static ngx_int_t
ngx_http_iri_handler(ngx_http_request_t *r)
{
    size_t                    length;
    uint32_t                  flags;
    ngx_int_t                 rc;
    ngx_str_t                 target, made;
    simd_iri_error            error;
    ngx_http_iri_srv_conf_t  *iscf;
    char                      message[NGX_HTTP_IRI_MESSAGE];

    iscf = ngx_http_get_module_srv_conf(r, ngx_http_iri_module);

    /* What nginx itself asks for was made by it, or was checked before. */

    if (iscf->request == NGX_HTTP_IRI_OFF || r->internal || r != r->main) {
        return NGX_DECLINED;
    }

    if (ngx_http_iri_target(r, &target) != NGX_OK) {
        return NGX_HTTP_INTERNAL_SERVER_ERROR;
    }

    flags = iscf->request == NGX_HTTP_IRI_NORMALIZE ? SIMD_IRI_FLAG_NORMALIZE
                                                    : 0;

    if (!flags
        && simd_iri_target_parse((char *) target.data, target.len, NULL,
                                 &error))
    {
        return NGX_DECLINED;
    }

    rc = flags ? ngx_http_iri_make(r, simd_iri_target_transform, flags,
                                   &target, &made, &error)
               : NGX_DECLINED;

    if (rc == NGX_DECLINED) {
        length = simd_iri_error_message(&error, message, sizeof(message));
        length = ngx_min(length, ngx_strlen(message));

        ngx_log_error(NGX_LOG_WARN, r->connection->log, 0,
                      "iri: the request target is refused: %*s",
                      length, message);

        if (iscf->request == NGX_HTTP_IRI_REPORT) {
            return NGX_DECLINED;
        }

        if (!iscf->repair) {
            return NGX_HTTP_BAD_REQUEST;
        }

        rc = ngx_http_iri_make(r, simd_iri_target_transform,
                               flags | SIMD_IRI_FLAG_REPAIR, &target, &made,
                               &error);
        if (rc == NGX_DECLINED) {
            return NGX_HTTP_BAD_REQUEST;
        }
    }

    if (rc != NGX_OK) {
        return NGX_HTTP_INTERNAL_SERVER_ERROR;
    }

    if (made.data == r->unparsed_uri.data) {
        return NGX_DECLINED;
    }

    rc = ngx_http_iri_set_target(r, &made);

    return rc == NGX_OK ? NGX_DECLINED : rc;
}


static ptrdiff_t
ngx_http_iri_field(ngx_table_elt_t *header, char *buffer, size_t capacity,
    size_t *left)
{
    return simd_iri_field_to_uri(SIMD_IRI_FLAG_IDNA|SIMD_IRI_FLAG_REPAIR,
                                 (char *) header->key.data, header->key.len,
                                 (char *) header->value.data,
                                 header->value.len, buffer, capacity, left,
                                 NULL);
}


/*
 * Makes URIs of the references in a header, if its name says that it has some.
 * A reference that cannot become one stays, and is counted.
 */

static ngx_int_t
ngx_http_iri_header(ngx_http_request_t *r, ngx_table_elt_t *header)
{
    char                 short_value[NGX_HTTP_IRI_TEXT];
    size_t               left;
    u_char              *data;
    ngx_str_t           *value;
    ptrdiff_t            length;
    ngx_http_iri_ctx_t  *ctx;

    value = &header->value;

    length = ngx_http_iri_field(header, short_value, sizeof(short_value),
                                &left);
    if (length < 0) {
        /* No references, or a defect of the library: the header stays. */
        return NGX_OK;
    }

    if (left) {
        ctx = ngx_http_get_module_ctx(r, ngx_http_iri_module);
        if (ctx == NULL) {
            ctx = ngx_pcalloc(r->pool, sizeof(ngx_http_iri_ctx_t));
            if (ctx == NULL) {
                return NGX_ERROR;
            }
            ngx_http_set_ctx(r, ctx, ngx_http_iri_module);
        }

        ctx->left += left;
    }

    if ((size_t) length == value->len && value->len < sizeof(short_value)
        && ngx_memcmp(short_value, value->data, value->len) == 0)
    {
        return NGX_OK;
    }

    data = ngx_pnalloc(r->pool, length + 1);
    if (data == NULL) {
        return NGX_ERROR;
    }

    if ((size_t) length < sizeof(short_value)) {
        ngx_memcpy(data, short_value, length + 1);

    } else if (ngx_http_iri_field(header, (char *) data, length + 1, &left)
               != length)
    {
        return NGX_ERROR;
    }

    value->data = data;
    value->len = length;

    return NGX_OK;
}


static ngx_int_t
ngx_http_iri_header_filter(ngx_http_request_t *r)
{
    ngx_uint_t                i;
    ngx_list_part_t          *part;
    ngx_table_elt_t          *header;
    ngx_http_iri_loc_conf_t  *ilcf;

    ilcf = ngx_http_get_module_loc_conf(r, ngx_http_iri_module);

    if (!ilcf->location) {
        return ngx_http_next_header_filter(r);
    }

    part = &r->headers_out.headers.part;
    header = part->elts;

    for (i = 0; /* void */; i++) {

        if (i >= part->nelts) {
            part = part->next;
            if (part == NULL) {
                break;
            }

            header = part->elts;
            i = 0;
        }

        /* A hash of 0 means that the header is not sent. */

        if (header[i].hash == 0) {
            continue;
        }

        if (ngx_http_iri_header(r, &header[i]) != NGX_OK) {
            return NGX_ERROR;
        }
    }

    return ngx_http_next_header_filter(r);
}


static void
ngx_http_iri_set_variable(ngx_http_variable_value_t *v, const ngx_str_t *text)
{
    v->data = text->data;
    v->len = text->len;
    v->valid = 1;
    v->no_cacheable = 0;
    v->not_found = 0;
}


/* Sets a variable by what ngx_http_iri_make() has returned. */

static ngx_int_t
ngx_http_iri_set_made(ngx_http_variable_value_t *v, ngx_int_t rc,
    const ngx_str_t *made)
{
    if (rc == NGX_OK) {
        ngx_http_iri_set_variable(v, made);
        return NGX_OK;
    }

    v->not_found = 1;

    return rc == NGX_DECLINED ? NGX_OK : NGX_ERROR;
}


static ngx_int_t
ngx_http_iri_error_variable(ngx_http_request_t *r,
    ngx_http_variable_value_t *v, uintptr_t data)
{
    ngx_str_t       target, message;
    simd_iri_error  error;

    if (ngx_http_iri_target(r, &target) != NGX_OK) {
        return NGX_ERROR;
    }

    if (simd_iri_target_parse((char *) target.data, target.len, NULL, &error))
    {
        v->not_found = 1;
        return NGX_OK;
    }

    message.len = simd_iri_error_message(&error, NULL, 0);
    message.data = ngx_pnalloc(r->pool, message.len + 1);
    if (message.data == NULL) {
        return NGX_ERROR;
    }

    simd_iri_error_message(&error, (char *) message.data, message.len + 1);
    ngx_http_iri_set_variable(v, &message);

    return NGX_OK;
}


/* The path of the target as people read it. */

static ngx_int_t
ngx_http_iri_path_variable(ngx_http_request_t *r,
    ngx_http_variable_value_t *v, uintptr_t data)
{
    u_char          *query;
    ngx_int_t        rc;
    ngx_str_t        target, made;
    simd_iri_error   error;

    ngx_str_null(&made);

    if (ngx_http_iri_target(r, &target) != NGX_OK) {
        return NGX_ERROR;
    }

    rc = ngx_http_iri_make(r, simd_iri_target_transform,
                           SIMD_IRI_FLAG_NORMALIZE|SIMD_IRI_FLAG_IRI,
                           &target, &made, &error);

    if (rc == NGX_OK) {
        query = memchr(made.data, '?', made.len);
        made.len = query ? (size_t) (query - made.data) : made.len;
    }

    return ngx_http_iri_set_made(v, rc, &made);
}


static ngx_int_t
ngx_http_iri_names_variable(ngx_http_request_t *r,
    ngx_http_variable_value_t *v, uintptr_t data)
{
    u_char          *query;
    ngx_int_t        rc;
    ngx_str_t        target, made;
    simd_iri_error   error;

    ngx_str_null(&made);

    if (ngx_http_iri_target(r, &target) != NGX_OK) {
        return NGX_ERROR;
    }

    query = memchr(target.data, '?', target.len);
    target.len = query ? (size_t) (query - target.data) : target.len;

    rc = ngx_http_iri_make(r, ngx_http_iri_names, 0, &target, &made, &error);

    return ngx_http_iri_set_made(v, rc, &made);
}


static ngx_int_t
ngx_http_iri_host_variable(ngx_http_request_t *r,
    ngx_http_variable_value_t *v, uintptr_t data)
{
    ngx_int_t        rc;
    ngx_str_t        made;
    simd_iri_error   error;

    ngx_str_null(&made);
    rc = ngx_http_iri_make(r, ngx_http_iri_host, 0, &r->headers_in.server,
                           &made, &error);

    return ngx_http_iri_set_made(v, rc, &made);
}


/*
 * The key of the target URI. A target that is refused is its own key, because
 * one empty key for all of them would mix their answers in a cache.
 */

static ngx_int_t
ngx_http_iri_key_variable(ngx_http_request_t *r,
    ngx_http_variable_value_t *v, uintptr_t data)
{
    ngx_int_t                 rc;
    ngx_str_t                 target, text, made;
    in_port_t                 port;
    const char               *scheme;
    simd_iri_error            error;
    ngx_http_iri_srv_conf_t  *iscf;

    if (ngx_http_iri_target(r, &target) != NGX_OK
        || ngx_connection_local_sockaddr(r->connection, NULL, 0) != NGX_OK)
    {
        return NGX_ERROR;
    }

    scheme = "http";
#if (NGX_HTTP_SSL)
    scheme = r->connection->ssl ? "https" : "http";
#endif
    port = ngx_inet_get_port(r->connection->local_sockaddr);

    text.data = ngx_pnalloc(r->pool, sizeof("https://:65535")
                                     + r->headers_in.server.len + target.len);
    if (text.data == NULL) {
        return NGX_ERROR;
    }

    text.len = ngx_sprintf(text.data, "%s://%V:%ui%V", scheme,
                           &r->headers_in.server, (ngx_uint_t) port, &target)
               - text.data;

    iscf = ngx_http_get_module_srv_conf(r, ngx_http_iri_module);
    rc = ngx_http_iri_make(r, simd_iri_key, (uint32_t) iscf->key_level, &text,
                           &made, &error);

    return ngx_http_iri_set_made(v, rc == NGX_DECLINED ? NGX_OK : rc,
                                 rc == NGX_DECLINED ? &text : &made);
}


static ngx_int_t
ngx_http_iri_left_variable(ngx_http_request_t *r,
    ngx_http_variable_value_t *v, uintptr_t data)
{
    ngx_str_t            number;
    ngx_http_iri_ctx_t  *ctx;

    ctx = ngx_http_get_module_ctx(r, ngx_http_iri_module);

    number.data = ngx_pnalloc(r->pool, NGX_INT_T_LEN);
    if (number.data == NULL) {
        return NGX_ERROR;
    }

    number.len = ngx_sprintf(number.data, "%ui", ctx ? ctx->left : 0)
                 - number.data;
    ngx_http_iri_set_variable(v, &number);

    return NGX_OK;
}


static ngx_http_variable_t  ngx_http_iri_variables[] = {
    { ngx_string("iri_error"), NULL, ngx_http_iri_error_variable, 0,
      NGX_HTTP_VAR_NOCACHEABLE, 0 },
    { ngx_string("iri_path"), NULL, ngx_http_iri_path_variable, 0,
      NGX_HTTP_VAR_NOCACHEABLE, 0 },
    { ngx_string("iri_names"), NULL, ngx_http_iri_names_variable, 0,
      NGX_HTTP_VAR_NOCACHEABLE, 0 },
    { ngx_string("iri_host_unicode"), NULL, ngx_http_iri_host_variable, 0,
      0, 0 },
    { ngx_string("iri_key"), NULL, ngx_http_iri_key_variable, 0,
      NGX_HTTP_VAR_NOCACHEABLE, 0 },
    { ngx_string("iri_left"), NULL, ngx_http_iri_left_variable, 0,
      NGX_HTTP_VAR_NOCACHEABLE, 0 },
      ngx_http_null_variable
};


static ngx_int_t
ngx_http_iri_add_variables(ngx_conf_t *cf)
{
    ngx_http_variable_t  *var, *v;

    for (v = ngx_http_iri_variables; v->name.len; v++) {
        var = ngx_http_add_variable(cf, &v->name, v->flags);
        if (var == NULL) {
            return NGX_ERROR;
        }

        var->get_handler = v->get_handler;
        var->data = v->data;
    }

    return NGX_OK;
}


static ngx_int_t
ngx_http_iri_init(ngx_conf_t *cf)
{
    ngx_http_handler_pt        *handler;
    ngx_http_core_main_conf_t  *cmcf;

    cmcf = ngx_http_conf_get_module_main_conf(cf, ngx_http_core_module);

    handler = ngx_array_push(
                  &cmcf->phases[NGX_HTTP_SERVER_REWRITE_PHASE].handlers);
    if (handler == NULL) {
        return NGX_ERROR;
    }

    *handler = ngx_http_iri_handler;

    ngx_http_next_header_filter = ngx_http_top_header_filter;
    ngx_http_top_header_filter = ngx_http_iri_header_filter;

    return NGX_OK;
}


static void *
ngx_http_iri_create_srv_conf(ngx_conf_t *cf)
{
    ngx_http_iri_srv_conf_t  *conf;

    conf = ngx_palloc(cf->pool, sizeof(ngx_http_iri_srv_conf_t));
    if (conf == NULL) {
        return NULL;
    }

    conf->request = NGX_CONF_UNSET_UINT;
    conf->repair = NGX_CONF_UNSET;
    conf->key_level = NGX_CONF_UNSET_UINT;

    return conf;
}


static char *
ngx_http_iri_merge_srv_conf(ngx_conf_t *cf, void *parent, void *child)
{
    ngx_http_iri_srv_conf_t  *prev = parent;
    ngx_http_iri_srv_conf_t  *conf = child;

    ngx_conf_merge_uint_value(conf->request, prev->request, NGX_HTTP_IRI_OFF);
    ngx_conf_merge_value(conf->repair, prev->repair, 0);
    ngx_conf_merge_uint_value(conf->key_level, prev->key_level,
                              SIMD_IRI_LEVEL_SCHEME);

    return NGX_CONF_OK;
}


static void *
ngx_http_iri_create_loc_conf(ngx_conf_t *cf)
{
    ngx_http_iri_loc_conf_t  *conf;

    conf = ngx_palloc(cf->pool, sizeof(ngx_http_iri_loc_conf_t));
    if (conf == NULL) {
        return NULL;
    }

    conf->location = NGX_CONF_UNSET;

    return conf;
}


static char *
ngx_http_iri_merge_loc_conf(ngx_conf_t *cf, void *parent, void *child)
{
    ngx_http_iri_loc_conf_t  *prev = parent;
    ngx_http_iri_loc_conf_t  *conf = child;

    ngx_conf_merge_value(conf->location, prev->location, 0);

    return NGX_CONF_OK;
}
