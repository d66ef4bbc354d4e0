#if Studio
import Testing

/// A request that must be turned away, and the status that says so; nil where the connection is only closed.
struct HostileRequest: Sendable, CustomTestStringConvertible {
    let rule: String
    let status: Int?
    let text: String

    var testDescription: String { rule }

    init(_ rule: String, _ status: Int?, _ text: String) {
        self.rule = rule
        self.status = status
        self.text = text
    }

    /// A request to the studio that would be answered, but for one line that is replaced, removed or added.
    private static func asked(
        _ first: String = "GET /api/documents HTTP/1.1", host: String = "Host: 127.0.0.1:{port}\r\n",
        authorization: String = "Authorization: Bearer {token}\r\n", _ more: String = "", body: String = ""
    ) -> String {
        "\(first)\r\n\(host)\(authorization)\(more)\r\n\(body)"
    }

    /// That request, with further lines.
    private static func with(_ more: String, body: String = "") -> String {
        asked("GET /api/documents HTTP/1.1", more, body: body)
    }

    private static func posted(_ more: String, body: String = "{}") -> String {
        asked("POST /api/models HTTP/1.1", more, body: body)
    }

    static let all: [HostileRequest] = hosts + pages + secrets + targets + bodies + heads

    private static let hosts = [
        HostileRequest("no Host", 403, asked(host: "")),
        HostileRequest(
            "the name of a page that leads here", 403, asked(host: "Host: evil.example:{port}\r\n")),
        HostileRequest("a name that begins like ours", 403, asked(host: "Host: localhost.evil.example\r\n")),
        HostileRequest("a name that ends like ours", 403, asked(host: "Host: evil-localhost:{port}\r\n")),
        HostileRequest("our name without the port", 403, asked(host: "Host: localhost\r\n")),
        HostileRequest("our name with another port", 403, asked(host: "Host: localhost:1\r\n")),
        HostileRequest("our name with a dot", 403, asked(host: "Host: localhost.:{port}\r\n")),
        HostileRequest("user and name", 403, asked(host: "Host: evil@localhost:{port}\r\n")),
        HostileRequest(
            "two Hosts", 403, asked(host: "Host: localhost:{port}\r\nHost: evil.example\r\n")),
        HostileRequest(
            "two Hosts of which the last is ours", 403,
            asked(host: "Host: evil.example\r\nHost: localhost:{port}\r\n")),
        HostileRequest("two names in one Host", 403, asked(host: "Host: localhost:{port}, evil.example\r\n")),
        HostileRequest(
            "a file of the page for another name", 403,
            asked("GET / HTTP/1.1", host: "Host: evil.example\r\n", authorization: "")),
        HostileRequest(
            "another address of this machine", 403, asked(host: "Host: 127.1:{port}\r\n")),
        HostileRequest("all addresses of this machine", 403, asked(host: "Host: 0.0.0.0:{port}\r\n")),
    ]

    private static let pages = [
        HostileRequest("another origin", 403, with("Origin: http://evil.example\r\n")),
        HostileRequest("our host with another port", 403, with("Origin: http://localhost:1\r\n")),
        HostileRequest("our origin by https", 403, with("Origin: https://localhost:{port}\r\n")),
        HostileRequest("the origin of a sandbox", 403, with("Origin: null\r\n")),
        HostileRequest("an empty origin", 403, with("Origin: \r\n")),
        HostileRequest(
            "two origins", 403, with("Origin: http://localhost:{port}\r\nOrigin: http://evil.example\r\n")),
        HostileRequest("a page of another site", 403, with("Sec-Fetch-Site: cross-site\r\n")),
        HostileRequest("a page of another port", 403, with("Sec-Fetch-Site: same-site\r\n")),
        HostileRequest(
            "a script of ours in another page", 403,
            asked("GET /main.js HTTP/1.1", authorization: "", "Sec-Fetch-Site: cross-site\r\n")),
        HostileRequest(
            "our page in a frame of another", 403,
            asked(
                "GET / HTTP/1.1", authorization: "",
                "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: iframe\r\n")),
        HostileRequest(
            "the studio asked by a link of another page", 403,
            with("Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: document\r\n")),
        HostileRequest(
            "a question before a request from elsewhere", 405,
            asked("OPTIONS /api/documents HTTP/1.1", authorization: "")),
    ]

    private static let secrets = [
        HostileRequest("no token", 401, asked(authorization: "")),
        HostileRequest("another token", 401, asked(authorization: "Authorization: Bearer 12\r\n")),
        HostileRequest(
            "the token with one more character", 401,
            asked(authorization: "Authorization: Bearer {token}0\r\n")),
        HostileRequest(
            "the token as a password", 401, asked(authorization: "Authorization: Basic {token}\r\n")),
        HostileRequest(
            "two tokens", 401,
            asked(authorization: "Authorization: Bearer {token}\r\nAuthorization: Bearer 12\r\n")),
        HostileRequest(
            "the token in a cookie", 401, asked(authorization: "Cookie: token={token}\r\n")),
        HostileRequest(
            "the token in the address", 401,
            asked("GET /api/documents?token={token} HTTP/1.1", authorization: "")),
        HostileRequest(
            "a code that nobody gave out", 401,
            asked(
                "POST /api/session HTTP/1.1", authorization: "",
                "Content-Type: application/json\r\nContent-Length: 13\r\n", body: "{\"code\":\"12\"}")),
        HostileRequest(
            "an exchange without a code", 400,
            asked(
                "POST /api/session HTTP/1.1", authorization: "",
                "Content-Type: application/json\r\nContent-Length: 2\r\n", body: "{}")),
        HostileRequest("an exchange by GET", 405, asked("GET /api/session HTTP/1.1", authorization: "")),
        HostileRequest(
            "a download that was not offered", 404, asked("GET /download/12 HTTP/1.1", authorization: "")),
    ]

    private static let targets = [
        HostileRequest(
            "a whole address as target", 400, asked("GET http://127.0.0.1:{port}/api/documents HTTP/1.1")),
        HostileRequest("a tunnel", 400, asked("CONNECT 127.0.0.1:{port} HTTP/1.1")),
        HostileRequest("a star as target", 400, asked("OPTIONS * HTTP/1.1")),
        HostileRequest("two slashes at the beginning", 400, asked("GET //api/documents HTTP/1.1")),
        HostileRequest("a broken escape", 400, asked("GET /api/%zz HTTP/1.1")),
        HostileRequest("an escaped zero", 400, asked("GET /api/%00 HTTP/1.1")),
        HostileRequest("the folder above", 400, asked("GET /../../etc/passwd HTTP/1.1", authorization: "")),
        HostileRequest(
            "the folder above, escaped", 400, asked("GET /%2e%2e/etc/passwd HTTP/1.1", authorization: "")),
        HostileRequest(
            "a path with a slash in a name", 404, asked("GET /shell%2Fshell.js HTTP/1.1", authorization: "")),
        HostileRequest(
            "a file that is not of the page", 404, asked("GET /etc/passwd HTTP/1.1", authorization: "")),
        HostileRequest("a fragment", 400, asked("GET /api/documents#x HTTP/1.1")),
        HostileRequest("letters beyond ASCII", 400, asked("GET /api/é HTTP/1.1")),
        HostileRequest("a method that is not used", 405, asked("PUT /api/documents HTTP/1.1")),
        HostileRequest("TRACE, which would show the token", 405, asked("TRACE /api/documents HTTP/1.1")),
        HostileRequest(
            "a file of the page by POST", 405,
            asked(
                "POST /index.html HTTP/1.1", "Content-Type: application/json\r\nContent-Length: 2\r\n",
                body: "{}")),
    ]

    private static let bodies = [
        HostileRequest(
            "a form", 415, posted("Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 2\r\n")),
        HostileRequest(
            "plain text, as a form can send it", 415,
            posted("Content-Type: text/plain\r\nContent-Length: 2\r\n")),
        HostileRequest("no type", 415, posted("Content-Length: 2\r\n")),
        HostileRequest(
            "two types", 415,
            posted("Content-Type: application/json\r\nContent-Type: text/plain\r\nContent-Length: 2\r\n")),
        HostileRequest(
            "a type that begins like ours", 415,
            posted("Content-Type: application/json-patch\r\nContent-Length: 2\r\n")),
        HostileRequest(
            "pieces", 400,
            posted(
                "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n",
                body: "2\r\n{}\r\n0\r\n\r\n")),
        HostileRequest(
            "pieces and a length", 400,
            posted(
                "Content-Type: application/json\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n",
                body: "0\r\n\r\n")),
        HostileRequest(
            "two lengths", 400,
            posted("Content-Type: application/json\r\nContent-Length: 2\r\nContent-Length: 20\r\n")),
        HostileRequest(
            "two equal lengths", 400,
            posted("Content-Type: application/json\r\nContent-Length: 2\r\nContent-Length: 2\r\n")),
        HostileRequest(
            "two lengths in one field", 400,
            posted("Content-Type: application/json\r\nContent-Length: 2, 2\r\n")),
        HostileRequest(
            "a length with a sign", 400, posted("Content-Type: application/json\r\nContent-Length: +2\r\n")),
        HostileRequest(
            "a length below zero", 400, posted("Content-Type: application/json\r\nContent-Length: -2\r\n")),
        HostileRequest(
            "a length beyond all numbers", 400,
            posted("Content-Type: application/json\r\nContent-Length: 99999999999999999999999\r\n")),
        HostileRequest(
            "a body that is too long", 413,
            posted("Content-Type: application/json\r\nContent-Length: 99999999\r\n", body: "")),
        HostileRequest("a body with GET", 400, with("Content-Length: 2\r\n", body: "{}")),
        HostileRequest(
            "a body that waits for a word", 400,
            posted("Content-Type: application/json\r\nExpect: 100-continue\r\nContent-Length: 2\r\n")),
        HostileRequest(
            "no JSON", 400, posted("Content-Type: application/json\r\nContent-Length: 2\r\n", body: "{]")),
        HostileRequest(
            "JSON that is nested too deep", 400,
            posted(
                "Content-Type: application/json\r\nContent-Length: 4000\r\n",
                body: String(repeating: "[", count: 4000))),
        HostileRequest("another protocol", 400, with("Connection: Upgrade\r\nUpgrade: websocket\r\n")),
    ]

    private static let heads = [
        HostileRequest("no HTTP", 400, "HELLO\r\n\r\n"),
        HostileRequest("another version", 400, asked("GET /api/documents HTTP/9.9")),
        HostileRequest("TLS", 400, "\u{16}\u{3}\u{1}\u{2}\u{0}\u{1}\r\n\r\n"),
        HostileRequest(
            "lines that end without a carriage return", 400,
            "GET /api/documents HTTP/1.1\nHost: 127.0.0.1:{port}\nAuthorization: Bearer {token}\n\n"),
        HostileRequest("a space before the colon", 400, with("Origin : http://evil.example\r\n")),
        HostileRequest("a folded field", 400, with("X-Folded: a\r\n b\r\n")),
        HostileRequest("a zero in a field", 400, with("X-Zero: a\u{0}b\r\n")),
        HostileRequest("a carriage return alone in a field", 400, with("X-Return: a\rOrigin: b\r\n")),
        HostileRequest("a field without a name", 400, with(": a\r\n")),
        HostileRequest(
            "a field that is too long", 431, with("X-Long: \(String(repeating: "a", count: 17000))\r\n")),
        HostileRequest(
            "a target that is too long", 431,
            asked("GET /api/\(String(repeating: "a", count: 17000)) HTTP/1.1")),
        HostileRequest(
            "a head that is too long", 431,
            with((0..<40).map { "X-\($0): \(String(repeating: "a", count: 500))\r\n" }.joined())),
        HostileRequest("too many fields", 431, with((0..<70).map { "X-\($0): a\r\n" }.joined())),
    ]
}
#endif
