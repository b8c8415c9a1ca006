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

/* Longer than most messages and results. */
#define NGX_HTTP_IRI_MESSAGE    256
#define NGX_HTTP_IRI_TEXT       4096

/*
 * The room for a result, in which all results but rare ones of a header fit.
 * simd_iri.h has these bounds.
 */
#define ngx_http_iri_room(length)        (3 * (length) + sizeof("/."))
#define ngx_http_iri_host_room(length)   (4 * (length) + 1)
#define ngx_http_iri_names_room(length)  (17 * ngx_http_iri_room(length))


typedef struct {
    ngx_uint_t  request;
    ngx_flag_t  repair;
    /* Of http: a server has its iri_repair, and an iri_request. */
    ngx_uint_t  is_used;
    size_t      limit;
    ngx_uint_t  log_level;
    ngx_uint_t  status;
    ngx_str_t   redact;
} ngx_http_iri_srv_conf_t;


typedef struct {
    ngx_flag_t  location;
} ngx_http_iri_loc_conf_t;


typedef struct {
    /* The references in headers of the response that could not become URIs. */
    ngx_uint_t  left;
} ngx_http_iri_ctx_t;


/* Calls a function of the library that makes a text of a text. */
typedef ptrdiff_t (*ngx_http_iri_make_pt)(void *data, const ngx_str_t *text,
    char *buffer, size_t capacity, simd_iri_error *error);


/* What the call for a header takes and gives, besides texts. */
typedef struct {
    ngx_str_t  *name;
    size_t      left;
} ngx_http_iri_field_t;


static ngx_int_t ngx_http_iri_add_variables(ngx_conf_t *cf);
static ngx_int_t ngx_http_iri_init(ngx_conf_t *cf);
static char *ngx_http_iri_no_request(ngx_conf_t *cf);
static char *ngx_http_iri_check_sets(ngx_conf_t *cf, void *post, void *data);
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


static ngx_conf_enum_t  ngx_http_iri_log_level[] = {
    { ngx_string("info"), NGX_LOG_INFO },
    { ngx_string("notice"), NGX_LOG_NOTICE },
    { ngx_string("warn"), NGX_LOG_WARN },
    { ngx_string("error"), NGX_LOG_ERR },
    { ngx_null_string, 0 }
};


static ngx_conf_num_bounds_t  ngx_http_iri_status = {
    ngx_conf_check_num_bounds, 400, 599
};


static ngx_conf_post_t  ngx_http_iri_sets = { ngx_http_iri_check_sets };


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

    { ngx_string("iri_limit"),
      NGX_HTTP_MAIN_CONF|NGX_HTTP_SRV_CONF|NGX_CONF_TAKE1,
      ngx_conf_set_size_slot,
      NGX_HTTP_SRV_CONF_OFFSET,
      offsetof(ngx_http_iri_srv_conf_t, limit),
      NULL },

    { ngx_string("iri_log_level"),
      NGX_HTTP_MAIN_CONF|NGX_HTTP_SRV_CONF|NGX_CONF_TAKE1,
      ngx_conf_set_enum_slot,
      NGX_HTTP_SRV_CONF_OFFSET,
      offsetof(ngx_http_iri_srv_conf_t, log_level),
      &ngx_http_iri_log_level },

    { ngx_string("iri_status"),
      NGX_HTTP_MAIN_CONF|NGX_HTTP_SRV_CONF|NGX_CONF_TAKE1,
      ngx_conf_set_num_slot,
      NGX_HTTP_SRV_CONF_OFFSET,
      offsetof(ngx_http_iri_srv_conf_t, status),
      &ngx_http_iri_status },

    { ngx_string("iri_redact"),
      NGX_HTTP_MAIN_CONF|NGX_HTTP_SRV_CONF|NGX_CONF_TAKE1,
      ngx_conf_set_str_slot,
      NGX_HTTP_SRV_CONF_OFFSET,
      offsetof(ngx_http_iri_srv_conf_t, redact),
      &ngx_http_iri_sets },

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
 *
 * The library writes into the stack, or, if the room is larger, into memory
 * that is freed here. It works a second time only if a result does not fit into
 * the room.
 */

static ngx_int_t
ngx_http_iri_make(ngx_http_request_t *r, ngx_http_iri_make_pt make, void *data,
    const ngx_str_t *text, size_t room, ngx_str_t *out, simd_iri_error *error)
{
    char        short_text[NGX_HTTP_IRI_TEXT], *buffer;
    size_t      capacity;
    ngx_int_t   rc;
    ptrdiff_t   length;

    buffer = short_text;
    capacity = sizeof(short_text);

    for ( ;; ) {

        if (room > capacity) {
            if (buffer != short_text) {
                ngx_free(buffer);
            }

            capacity = room;
            buffer = ngx_alloc(capacity, r->connection->log);
            if (buffer == NULL) {
                return NGX_ERROR;
            }
        }

        length = make(data, text, buffer, capacity, error);

        if (length < (ptrdiff_t) capacity) {
            break;
        }

        room = length + 1;
    }

    rc = NGX_OK;

    if (length < 0) {
        rc = NGX_DECLINED;

    } else if ((size_t) length == text->len
               && ngx_memcmp(buffer, text->data, length) == 0)
    {
        *out = *text;

    } else {
        out->len = length;
        out->data = ngx_pnalloc(r->pool, length + 1);

        if (out->data == NULL) {
            rc = NGX_ERROR;

        } else {
            ngx_memcpy(out->data, buffer, length + 1);
        }
    }

    if (buffer != short_text) {
        ngx_free(buffer);
    }

    return rc;
}


/* The functions of the library. For a target, the data are the flags. */

static ptrdiff_t
ngx_http_iri_transform(void *data, const ngx_str_t *text, char *buffer,
    size_t capacity, simd_iri_error *error)
{
    uint32_t  *flags = data;

    return simd_iri_target_transform(*flags, (char *) text->data, text->len,
                                     buffer, capacity, error);
}


static ptrdiff_t
ngx_http_iri_host(void *data, const ngx_str_t *text, char *buffer,
    size_t capacity, simd_iri_error *error)
{
    return simd_iri_host_to_unicode((char *) text->data, text->len, buffer,
                                    capacity, error);
}


static ptrdiff_t
ngx_http_iri_names(void *data, const ngx_str_t *text, char *buffer,
    size_t capacity, simd_iri_error *error)
{
    return simd_iri_target_names((char *) text->data, text->len, buffer,
                                 capacity, error);
}


/*
 * The data are the names of sets. A key may stand after a semicolon, and a value
 * may be a reference with a secret: all readings count.
 */

static ptrdiff_t
ngx_http_iri_redact(void *data, const ngx_str_t *text, char *buffer,
    size_t capacity, simd_iri_error *error)
{
    ngx_str_t  *sets = data;

    return simd_iri_redact(SIMD_IRI_PART_TARGET,
                           SIMD_IRI_FLAG_SEMICOLONS|SIMD_IRI_FLAG_NESTED,
                           (char *) sets->data, sets->len, (char *) text->data,
                           text->len, buffer, capacity, error);
}


/* -1 means that a header with this name has no references. */

static ptrdiff_t
ngx_http_iri_field(void *data, const ngx_str_t *text, char *buffer,
    size_t capacity, simd_iri_error *error)
{
    ngx_http_iri_field_t  *field = data;

    return simd_iri_field_to_uri(SIMD_IRI_FLAG_IDNA|SIMD_IRI_FLAG_REPAIR,
                                 (char *) field->name->data, field->name->len,
                                 (char *) text->data, text->len, buffer,
                                 capacity, &field->left, error);
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
#if (NGX_HTTP_IRI_EMPTY_PATH)
    r->empty_path_in_uri = 0;
#endif
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


/* Writes what happens to an invalid target, and why, into the error log. */

static void
ngx_http_iri_log(ngx_http_request_t *r, ngx_http_iri_srv_conf_t *iscf,
    const char *what, simd_iri_error *error)
{
    char        message[NGX_HTTP_IRI_MESSAGE];
    ngx_log_t  *log;

    log = r->connection->log;

    if (log->log_level < iscf->log_level) {
        return;
    }

    /* A long message is cut at a character. */

    (void) simd_iri_error_message(error, message, sizeof(message));

    ngx_log_error(iscf->log_level, log, 0, "iri: the request target %s: %s",
                  what, message);
}


static ngx_int_t
ngx_http_iri_handler(ngx_http_request_t *r)
{
    uint32_t                  flags;
    ngx_int_t                 rc;
    ngx_str_t                 target, made;
    const char               *what;
    simd_iri_error            error;
    ngx_http_iri_srv_conf_t  *iscf;

    iscf = ngx_http_get_module_srv_conf(r, ngx_http_iri_module);

    /* The target of an internal request was made by nginx, or was checked before. */

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

    rc = flags ? ngx_http_iri_make(r, ngx_http_iri_transform, &flags, &target,
                                   ngx_http_iri_room(target.len), &made,
                                   &error)
               : NGX_DECLINED;

    if (rc == NGX_DECLINED) {

        if (iscf->request == NGX_HTTP_IRI_REPORT) {
            ngx_http_iri_log(r, iscf, "is invalid", &error);
            return NGX_DECLINED;
        }

        what = "is refused";

        if (iscf->repair && target.len > iscf->limit) {
            what = "is refused, because iri_limit is less than its length";

        } else if (iscf->repair) {
            flags |= SIMD_IRI_FLAG_REPAIR;
            rc = ngx_http_iri_make(r, ngx_http_iri_transform, &flags, &target,
                                   ngx_http_iri_room(target.len), &made,
                                   &error);
            what = rc == NGX_DECLINED ? "cannot be repaired" : "is repaired";
        }

        ngx_http_iri_log(r, iscf, what, &error);

        if (rc == NGX_DECLINED) {
            return iscf->status;
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


/*
 * Makes URIs of the references in a header, if its name says that it has some.
 * A reference that cannot become a URI stays, and is counted.
 */

static ngx_int_t
ngx_http_iri_header(ngx_http_request_t *r, ngx_table_elt_t *header)
{
    ngx_int_t              rc;
    simd_iri_error         error;
    ngx_http_iri_ctx_t    *ctx;
    ngx_http_iri_field_t   field;

    field.name = &header->key;
    field.left = 0;

    rc = ngx_http_iri_make(r, ngx_http_iri_field, &field, &header->value,
                           ngx_http_iri_room(header->value.len),
                           &header->value, &error);

    if (rc == NGX_ERROR) {
        return NGX_ERROR;
    }

    if (field.left) {
        ctx = ngx_http_get_module_ctx(r, ngx_http_iri_module);
        if (ctx == NULL) {
            ctx = ngx_pcalloc(r->pool, sizeof(ngx_http_iri_ctx_t));
            if (ctx == NULL) {
                return NGX_ERROR;
            }
            ngx_http_set_ctx(r, ctx, ngx_http_iri_module);
        }

        ctx->left += field.left;
    }

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
    uint32_t         flags;
    ngx_int_t        rc;
    ngx_str_t        target, made;
    simd_iri_error   error;

    ngx_str_null(&made);

    if (ngx_http_iri_target(r, &target) != NGX_OK) {
        return NGX_ERROR;
    }

    flags = SIMD_IRI_FLAG_NORMALIZE|SIMD_IRI_FLAG_IRI;
    rc = ngx_http_iri_make(r, ngx_http_iri_transform, &flags, &target,
                           ngx_http_iri_room(target.len), &made, &error);

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
    u_char                   *query;
    ngx_int_t                 rc;
    ngx_str_t                 target, made;
    simd_iri_error            error;
    ngx_http_iri_srv_conf_t  *iscf;

    ngx_str_null(&made);

    if (ngx_http_iri_target(r, &target) != NGX_OK) {
        return NGX_ERROR;
    }

    query = memchr(target.data, '?', target.len);
    target.len = query ? (size_t) (query - target.data) : target.len;

    iscf = ngx_http_get_module_srv_conf(r, ngx_http_iri_module);

    if (target.len > iscf->limit) {
        return ngx_http_iri_set_made(v, NGX_DECLINED, NULL);
    }

    rc = ngx_http_iri_make(r, ngx_http_iri_names, NULL, &target,
                           ngx_http_iri_names_room(target.len),
                           &made, &error);

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
    rc = ngx_http_iri_make(r, ngx_http_iri_host, NULL, &r->headers_in.server,
                           ngx_http_iri_host_room(r->headers_in.server.len),
                           &made, &error);

    return ngx_http_iri_set_made(v, rc, &made);
}


/*
 * The target in the request line, without its secrets. The line may be any bytes:
 * nginx also logs a request that it refuses. The target is then all after the
 * first space, and without a space the line.
 */

static ngx_int_t
ngx_http_iri_redacted_variable(ngx_http_request_t *r,
    ngx_http_variable_value_t *v, uintptr_t data)
{
    u_char                     *p, *end;
    ngx_int_t                   rc;
    ngx_str_t                   target, made;
    simd_iri_error              error;
    ngx_http_iri_srv_conf_t    *iscf;
    ngx_http_variable_value_t  *line;
    static ngx_str_t            request = ngx_string("request");

    line = ngx_http_get_variable(r, &request,
                                 ngx_hash_key(request.data, request.len));

    if (line == NULL || line->not_found || line->len == 0) {
        return ngx_http_iri_set_made(v, NGX_DECLINED, NULL);
    }

    end = line->data + line->len;

    p = ngx_strlchr(line->data, end, ' ');
    target.data = p ? p + 1 : line->data;

    /* The version is after the last space. */

    for (p = end; p > target.data && p[-1] != ' '; p--) { /* void */ }

    if (p > target.data && end - p >= 5 && ngx_strncmp(p, "HTTP/", 5) == 0) {
        end = p - 1;
    }

    target.len = end - target.data;

    ngx_str_null(&made);
    iscf = ngx_http_get_module_srv_conf(r, ngx_http_iri_module);

    rc = ngx_http_iri_make(r, ngx_http_iri_redact, &iscf->redact, &target,
                           ngx_http_iri_room(target.len) + 16, &made, &error);

    return ngx_http_iri_set_made(v, rc, &made);
}


/* Writes a text with all but these characters as triplets. */

static u_char *
ngx_http_iri_key_put(u_char *p, const ngx_str_t *text)
{
    u_char         c;
    size_t         i;
    static u_char  digits[] = "0123456789ABCDEF";

    for (i = 0; i < text->len; i++) {
        c = text->data[i];

        if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')
            || (c >= '0' && c <= '9') || (c && ngx_strchr("-._~[]:", c)))
        {
            *p++ = c;

        } else {
            *p++ = '%';
            *p++ = digits[c >> 4];
            *p++ = digits[c & 0xf];
        }
    }

    return p;
}


/*
 * Tells whether the path of a target has two slashes in a row, literally or as
 * triplets.
 */

static ngx_uint_t
ngx_http_iri_has_slashes(const ngx_str_t *target)
{
    size_t      i, length;
    ngx_uint_t  is_after;

    is_after = 0;

    for (i = 0; i < target->len && target->data[i] != '?'; i += length) {
        length = 1;

        if (target->len - i >= 3
            && ngx_strncasecmp(target->data + i, (u_char *) "%2f", 3) == 0)
        {
            length = 3;

        } else if (target->data[i] != '/') {
            is_after = 0;
            continue;
        }

        if (is_after) {
            return 1;
        }

        is_after = 1;
    }

    return 0;
}


/*
 * The key of a request for caches. The law: two requests that differ only in
 * Host and target, and have one key, get the same server, location and request
 * to the upstream. So the key has all that nginx makes these three of, in a form
 * that can be read back:
 *
 *     http://example.org:80/a?b
 *     scheme://HOST:PORT[@FIELD][!URI!ARGS]TARGET
 *
 * HOST    by which nginx has chosen the server: from the target in
 *         absolute-form, or else from the field Host, in lower case and without
 *         a port and a last dot
 * FIELD   the field Host ($http_host), if it is not HOST
 * URI     and ARGS, if nginx does not send the target: in a subrequest, and
 *         after rewrite, set $args or an internal redirect; and if the target
 *         has two slashes in a row: nginx may read a target before it knows the
 *         host, by merge_slashes of the default server, but it reads what
 *         normalize writes by merge_slashes of the chosen server
 * TARGET  as nginx has read it, or as normalize or a repair has written it; it
 *         begins with "/" or "?"
 *
 * In HOST, FIELD, URI and ARGS, the characters "@", "!", "/", "?" and "%" are
 * triplets, so that each part ends at the first "@", "!", "/" or "?": the key
 * of "Host: a?x" with /b is http://a%3Fx:80/b. PORT has digits alone, so that
 * HOST may have colons.
 */

static ngx_int_t
ngx_http_iri_key_variable(ngx_http_request_t *r,
    ngx_http_variable_value_t *v, uintptr_t data)
{
    u_char      *p;
    size_t       length;
    ngx_str_t    key, *host, field;
    in_port_t    port;
    const char  *scheme;

    if (ngx_connection_local_sockaddr(r->connection, NULL, 0) != NGX_OK) {
        return NGX_ERROR;
    }

    scheme = "http";
#if (NGX_HTTP_SSL)
    scheme = r->connection->ssl ? "https" : "http";
#endif
    port = ngx_inet_get_port(r->connection->local_sockaddr);
    host = &r->headers_in.server;

    ngx_str_null(&field);
    if (r->headers_in.host) {
        field = r->headers_in.host->value;
    }

    length = sizeof("https://:65535@!!")
             + 3 * (host->len + field.len + r->uri.len + r->args.len)
             + r->unparsed_uri.len;

    key.data = ngx_pnalloc(r->pool, length);
    if (key.data == NULL) {
        return NGX_ERROR;
    }

    p = ngx_sprintf(key.data, "%s://", scheme);
    p = ngx_http_iri_key_put(p, host);
    p = ngx_sprintf(p, ":%ui", (ngx_uint_t) port);

    if (field.len != host->len
        || ngx_memcmp(field.data, host->data, host->len) != 0)
    {
        *p++ = '@';
        p = ngx_http_iri_key_put(p, &field);
    }

    if (!r->valid_unparsed_uri || ngx_http_iri_has_slashes(&r->unparsed_uri)) {
        *p++ = '!';
        p = ngx_http_iri_key_put(p, &r->uri);
        *p++ = '!';
        p = ngx_http_iri_key_put(p, &r->args);
    }

    p = ngx_cpymem(p, r->unparsed_uri.data, r->unparsed_uri.len);

    key.len = p - key.data;
    ngx_http_iri_set_variable(v, &key);

    return NGX_OK;
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
    { ngx_string("iri_redacted"), NULL, ngx_http_iri_redacted_variable, 0,
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
    ngx_http_iri_srv_conf_t    *iscf;
    ngx_http_core_main_conf_t  *cmcf;

    /* The directive may stand in http for the servers that have iri_request. */

    iscf = ngx_http_conf_get_module_srv_conf(cf, ngx_http_iri_module);

    if (iscf->repair == 1 && !iscf->is_used) {
        ngx_http_iri_no_request(cf);
        return NGX_ERROR;
    }

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


/* Refuses a directive without effect. */

static char *
ngx_http_iri_no_request(ngx_conf_t *cf)
{
    ngx_conf_log_error(NGX_LOG_EMERG, cf, 0,
                       "\"iri_repair on\" repairs nothing without "
                       "\"iri_request check\" or \"iri_request normalize\"");

    return NGX_CONF_ERROR;
}


/* Refuses a name that no set has. */

static char *
ngx_http_iri_check_sets(ngx_conf_t *cf, void *post, void *data)
{
    ngx_str_t  *sets = data;

    if (simd_iri_redact(SIMD_IRI_PART_TARGET, 0, (char *) sets->data, sets->len,
                        NULL, 0, NULL, 0, NULL)
        < 0)
    {
        return "has a name that no set of keys has";
    }

    return NGX_CONF_OK;
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
    conf->is_used = 0;
    conf->limit = NGX_CONF_UNSET_SIZE;
    conf->log_level = NGX_CONF_UNSET_UINT;
    conf->status = NGX_CONF_UNSET_UINT;
    ngx_str_null(&conf->redact);

    return conf;
}


static char *
ngx_http_iri_merge_srv_conf(ngx_conf_t *cf, void *parent, void *child)
{
    ngx_http_iri_srv_conf_t  *prev = parent;
    ngx_http_iri_srv_conf_t  *conf = child;

    ngx_conf_merge_uint_value(conf->request, prev->request, NGX_HTTP_IRI_OFF);

    if (conf->request != NGX_HTTP_IRI_OFF) {
        prev->is_used = 1;

    } else if (conf->repair == 1) {
        return ngx_http_iri_no_request(cf);
    }

    if (conf->request == NGX_HTTP_IRI_REPORT && conf->repair == 1) {
        ngx_conf_log_error(NGX_LOG_WARN, cf, 0,
                           "\"iri_repair on\" repairs nothing with "
                           "\"iri_request report\"");
    }

    ngx_conf_merge_value(conf->repair, prev->repair, 0);
    ngx_conf_merge_size_value(conf->limit, prev->limit, 2048);
    ngx_conf_merge_uint_value(conf->log_level, prev->log_level, NGX_LOG_INFO);
    ngx_conf_merge_uint_value(conf->status, prev->status,
                              NGX_HTTP_BAD_REQUEST);
    ngx_conf_merge_str_value(conf->redact, prev->redact, "");

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
