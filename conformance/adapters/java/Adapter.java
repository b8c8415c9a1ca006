// An adapter for libraries in Java: Adapter NAME answers for one of them, java.net.URI or jena-iri. protocol.md says what
// it reads and writes. What a library does not offer is unsupported.

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import org.apache.jena.iri.IRI;
import org.apache.jena.iri.IRIFactory;
import org.apache.jena.iri.ViolationCodes;

public final class Adapter {
    private static final String UNSUPPORTED = "\"unsupported\":true";

    /** Reads an object whose values are strings, numbers, or true and false: all values become text. */
    private static Map<String, String> read(String line) {
        Map<String, String> fields = new LinkedHashMap<>();
        int[] at = {1};
        while (line.charAt(at[0]) != '}') {
            String name = string(line, at);
            at[0]++;
            String value;
            if (line.charAt(at[0]) == '"') {
                value = string(line, at);
            } else {
                int start = at[0];
                while (",}".indexOf(line.charAt(at[0])) < 0) at[0]++;
                value = line.substring(start, at[0]);
            }
            fields.put(name, value);
            if (line.charAt(at[0]) == ',') at[0]++;
        }
        return fields;
    }

    private static String string(String line, int[] at) {
        StringBuilder text = new StringBuilder();
        for (at[0]++; line.charAt(at[0]) != '"'; at[0]++) {
            char c = line.charAt(at[0]);
            if (c != '\\') {
                text.append(c);
                continue;
            }
            c = line.charAt(++at[0]);
            switch (c) {
                case 'u' -> {
                    text.append((char) Integer.parseInt(line.substring(at[0] + 1, at[0] + 5), 16));
                    at[0] += 4;
                }
                case 'b' -> text.append('\b');
                case 'f' -> text.append('\f');
                case 'n' -> text.append('\n');
                case 'r' -> text.append('\r');
                case 't' -> text.append('\t');
                default -> text.append(c);
            }
        }
        at[0]++;
        return text.toString();
    }

    private static String quoted(String text) {
        if (text == null) return "null";
        StringBuilder out = new StringBuilder("\"");
        for (char c : text.toCharArray()) {
            if (c >= ' ' && c < 0x7F && c != '"' && c != '\\') out.append(c);
            else out.append(String.format("\\u%04x", (int) c));
        }
        return out.append('"').toString();
    }

    private static String object(String... fields) {
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < fields.length; i += 2) {
            if (i > 0) out.append(',');
            out.append('"').append(fields[i]).append("\":").append(quoted(fields[i + 1]));
        }
        return "{" + out + "}";
    }

    private static String valid(String components) {
        return "\"valid\":true,\"components\":" + components;
    }

    /** The characters beside ASCII that java.net.URI takes are its own rule: it is asked about URIs alone. */
    private static String ofJava(Map<String, String> ask) {
        String kind = ask.getOrDefault("kind", "");
        try {
            if (ask.get("op").equals("parse") && (kind.equals("uri") || kind.equals("uri-reference"))) {
                URI found = new URI(ask.get("input"));
                if (kind.equals("uri") && found.getScheme() == null) return "\"valid\":false";
                // An opaque URI has its path and query in one part, and some authorities have no host.
                return found.isOpaque()
                        ? valid(object("scheme", found.getScheme(), "fragment", found.getRawFragment()))
                        : valid(object("scheme", found.getScheme(), "authority", found.getRawAuthority(), "path",
                                found.getRawPath(), "query", found.getRawQuery(), "fragment", found.getRawFragment()));
            }
            if (ask.get("op").equals("resolve") && kind.equals("uri") && ask.get("strict").equals("true")) {
                return "\"result\":" + quoted(new URI(ask.get("base")).resolve(new URI(ask.get("reference"))).toString());
            }
        } catch (URISyntaxException error) {
            return ask.get("op").equals("parse") ? "\"valid\":false" : "\"error\":" + quoted(error.getMessage());
        }
        return UNSUPPORTED;
    }

    /** The library of Apache Jena, with the grammar of IRIs, and without its rules about schemes and its advice. */
    private static final class Jena implements Function<Map<String, String>, String> {
        private final IRIFactory factory = new IRIFactory();

        /** The codes of the library for what the grammar allows. */
        private static final int[] ADVICE = {
            ViolationCodes.BAD_IDN, ViolationCodes.BAD_IDN_UNASSIGNED_CHARS, ViolationCodes.COMPATIBILITY_CHARACTER,
            ViolationCodes.DEFAULT_PORT_SHOULD_BE_OMITTED, ViolationCodes.HAS_PASSWORD, ViolationCodes.IP_V4_OCTET_RANGE,
            ViolationCodes.IPv6ADDRESS_SHOULD_BE_LOWERCASE, ViolationCodes.LOWERCASE_PREFERRED,
            ViolationCodes.NON_INITIAL_DOT_SEGMENT, ViolationCodes.NOT_DNS_NAME, ViolationCodes.NOT_NFC,
            ViolationCodes.NOT_NFKC, ViolationCodes.PERCENT_ENCODING_SHOULD_BE_UPPERCASE,
            ViolationCodes.PORT_SHOULD_NOT_BE_EMPTY, ViolationCodes.PORT_SHOULD_NOT_BE_WELL_KNOWN,
            ViolationCodes.PORT_SHOULD_NOT_START_IN_ZERO,
            ViolationCodes.PROHIBITED_COMPONENT_PRESENT, ViolationCodes.REQUIRED_COMPONENT_MISSING,
            ViolationCodes.UNASSIGNED_UNICODE_CHARACTER, ViolationCodes.UNDEFINED_UNICODE_CHARACTER,
            ViolationCodes.UNREGISTERED_IANA_SCHEME, ViolationCodes.UNREGISTERED_NONIETF_SCHEME_TREE,
            ViolationCodes.USE_PUNYCODE_NOT_PERCENTS,
        };

        Jena() {
            factory.useSpecificationIRI(true);
            factory.useSchemeSpecificRules("*", false);
            for (int code : ADVICE) {
                factory.setIsError(code, false);
                factory.setIsWarning(code, false);
            }
        }

        public String apply(Map<String, String> ask) {
            String kind = ask.getOrDefault("kind", "");
            if (ask.get("op").equals("parse") && (kind.equals("iri") || kind.equals("iri-reference"))) {
                IRI found = factory.create(ask.get("input"));
                if (found.hasViolation(false) || kind.equals("iri") && found.getScheme() == null) return "\"valid\":false";
                return valid(object("scheme", found.getScheme(), "authority", found.getRawAuthority(), "userinfo",
                        found.getRawUserinfo(), "host", found.getRawHost(), "path", found.getRawPath(), "query",
                        found.getRawQuery(), "fragment", found.getRawFragment()));
            }
            if (ask.get("op").equals("resolve") && ask.get("strict").equals("true")) {
                return "\"result\":" + quoted(factory.create(ask.get("base")).create(ask.get("reference")).toString());
            }
            return UNSUPPORTED;
        }
    }

    public static void main(String[] arguments) throws Exception {
        boolean isJena = arguments[0].equals("jena-iri");
        Function<Map<String, String>, String> library = isJena ? new Jena() : Adapter::ofJava;
        String version = isJena ? arguments[1] : System.getProperty("java.version");
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        out.println("{\"hello\":{\"name\":\"" + arguments[0] + "\",\"version\":\"" + version
                + "\",\"language\":\"Java\",\"standards\":" + (isJena ? "[\"RFC 3986\",\"RFC 3987\"]" : "[\"RFC 2396\"]") + "}}");
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line; (line = in.readLine()) != null; ) {
            Map<String, String> ask = read(line);
            String answer;
            if (ask.containsKey("input_hex")) {
                answer = UNSUPPORTED;
            } else {
                try {
                    answer = library.apply(ask);
                } catch (RuntimeException error) {
                    answer = ask.get("op").equals("parse") ? "\"valid\":false" : "\"error\":" + quoted(error.toString());
                }
            }
            out.println("{\"seq\":" + ask.get("seq") + "," + answer + "}");
        }
    }
}
