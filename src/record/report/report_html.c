// SPDX-License-Identifier: MIT
#include "record/report/report_html.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <zlib.h>

#include "base/fail.h"
#include "record/file/base64.h"
#include "record/file/database.h"
#include "record/file/fresh_file.h"

static const char header_mark[] = "@CAROM_HEADER@", packed_mark[] = "@CAROM_PACKED@";

// What every page says of itself near its beginning, so that nothing else is ever overwritten.
static const char signature[] = "<meta name=\"generator\" content=\"carom\">";

// ---- base64 of a zlib stream, as it comes

typedef struct packer {
    crm_base64 base64;
    z_stream stream;
    unsigned char deflated[32768];
} packer;

static bool deflate_some(packer *p, const unsigned char *bytes, size_t count, int flush) {
    // zlib counts in 32 bits.
    const size_t most = 1u << 30;
    do {
        size_t now = count < most ? count : most;
        p->stream.next_in = (unsigned char *)bytes; // zlib does not write there
        p->stream.avail_in = (uInt)now;
        do {
            p->stream.next_out = p->deflated;
            p->stream.avail_out = sizeof p->deflated;
            if (deflate(&p->stream, now == count ? flush : Z_NO_FLUSH) == Z_STREAM_ERROR) return false;
            crm_base64_put(&p->base64, p->deflated, sizeof p->deflated - p->stream.avail_out);
        } while (p->stream.avail_out == 0);
        bytes += now;
        count -= now;
    } while (count > 0);
    return true;
}

static carom_status put_blobs(FILE *to, const crm_blobs *blobs, carom_error *error) {
    if (blobs->count == 0) return CAROM_OK;
    static const unsigned char zeros[8] = {0};
    packer *p = calloc(1, sizeof *p);
    if (p == NULL || deflateInit(&p->stream, Z_DEFAULT_COMPRESSION) != Z_OK) {
        free(p);
        return crm_fail_memory(error, "report", sizeof *p);
    }
    p->base64.to = to;
    bool good = true;
    for (int i = 0; i < blobs->count && good; i++) {
        const crm_blob *blob = &blobs->item[i];
        good = deflate_some(p, blob->bytes, blob->size, Z_NO_FLUSH) &&
               deflate_some(p, zeros, crm_blob_padding(blob), Z_NO_FLUSH);
    }
    good = good && deflate_some(p, zeros, 0, Z_FINISH);
    crm_base64_end(&p->base64);
    deflateEnd(&p->stream);
    free(p);
    return good ? CAROM_OK : crm_fail(error, CAROM_ERR_SYSTEM, "report: zlib refused to deflate the numbers");
}

// ---- the page

// No text may end the script that the header stands in.
static int put_header(const char *text, size_t size, void *to) {
    for (size_t i = 0; i < size; i++) {
        if (text[i] == '<')
            fputs("\\u003c", to);
        else
            fputc(text[i], to);
    }
    return 0;
}

static carom_status find_marks(const char *page, const char **header, const char **packed, carom_error *error) {
    *header = page != NULL ? strstr(page, header_mark) : NULL;
    *packed = *header != NULL ? strstr(*header, packed_mark) : NULL;
    if (*packed != NULL && strstr(page, signature) != NULL) return CAROM_OK;
    return crm_refuse(error, "report: the page lacks %s; give the one that is built from viewer/",
                      *header == NULL   ? header_mark
                      : *packed == NULL ? packed_mark
                                        : signature);
}

static carom_status fail_writing(const char *path, int number, carom_error *error) {
    return crm_fail(error, crm_file_status(number),
                    "%s: cannot be written (%s); check the disk and choose another name", crm_shown_path(path),
                    strerror(number));
}

static carom_status fill(FILE *to, const carom_report_def *def, const json_t *header, const crm_blobs *blobs,
                         carom_error *error) {
    const char *header_at, *packed_at;
    carom_status status = find_marks(def->page, &header_at, &packed_at, error);
    if (status != CAROM_OK) return status;
    fwrite(def->page, 1, (size_t)(header_at - def->page), to);
    if (json_dump_callback(header, put_header, to, JSON_COMPACT) != 0) return crm_fail_memory(error, "report", 0);
    header_at += strlen(header_mark);
    fwrite(header_at, 1, (size_t)(packed_at - header_at), to);
    status = put_blobs(to, blobs, error);
    fputs(packed_at + strlen(packed_mark), to);
    return status;
}

static bool is_report(const char *head) {
    return strstr(head, signature) != NULL;
}

static carom_status check_target(const carom_report_def *def, carom_error *error) {
    if (def->path == NULL || def->path[0] == '\0')
        return crm_refuse(error, "report: the name of the file is missing; give it");
    return def->overwrite ? crm_fresh_file_claim(def->path, is_report, "report", error) : CAROM_OK;
}

carom_status crm_page_write(const carom_report_def *def, crm_tree *tree, const crm_blobs *blobs, int64_t *bytes,
                            carom_error *error) {
    carom_status status = check_target(def, error);
    if (status != CAROM_OK) return status;
    crm_blobs_describe(blobs, tree);
    status = crm_tree_check(tree, error);
    if (status != CAROM_OK) return status;
    crm_fresh_file file;
    status = crm_fresh_file_begin(&file, def->path, def->overwrite, error);
    if (status == CAROM_OK) {
        errno = 0;
        FILE *to = fopen(file.temporary, "w");
        status = to != NULL ? fill(to, def, tree->header, blobs, error) : fail_writing(def->path, errno, error);
        if (to != NULL) {
            *bytes = ftell(to);
            bool failed = ferror(to) != 0;
            failed |= fclose(to) != 0;
            if (failed && status == CAROM_OK) status = fail_writing(def->path, errno, error);
        }
        if (status == CAROM_OK) status = crm_fresh_file_publish(&file, error);
    }
    crm_fresh_file_end(&file);
    return status;
}
