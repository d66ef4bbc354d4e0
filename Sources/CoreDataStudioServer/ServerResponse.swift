#if Studio
import CoreDataJSON
import CoreDataStudioInterface

/// An answer as it goes over the wire.
struct ServerResponse: Sendable {
    enum Body: Sendable {
        case bytes([UInt8])
        case parts(AsyncThrowingStream<[UInt8], any Error>)
    }

    let status: Int
    let fields: [RequestHead.Field]
    let body: Body

    /// The fields of every answer: a browser runs nothing but the page's own scripts, shows nothing in a
    /// frame, guesses no types, and tells no other page that this one exists.
    private static let protection: [RequestHead.Field] = [
        .init(
            "Content-Security-Policy",
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; connect-src 'self'; "
                + "frame-ancestors 'none'; base-uri 'none'; form-action 'none'"),
        .init("X-Content-Type-Options", "nosniff"),
        .init("X-Frame-Options", "DENY"),
        .init("Cross-Origin-Opener-Policy", "same-origin"),
        .init("Cross-Origin-Resource-Policy", "same-origin"),
        .init("Referrer-Policy", "no-referrer"),
    ]

    private init(_ status: Int, _ body: Body, _ fields: [RequestHead.Field]) {
        self.status = status
        self.body = body
        self.fields = fields + Self.protection
    }

    init(_ refusal: Refusal) {
        self.init(json: .object([.init("error", .string(refusal.reason))]), status: refusal.status)
    }

    init(json: JSONValue, status: Int = 200) {
        self.init(
            status, .bytes(Array(json.line.utf8)),
            [.init("Content-Type", "application/json"), .init("Cache-Control", "no-store")])
    }

    /// A file of the page; only its tag where the browser has it.
    init(_ asset: Asset, isKnown: Bool) {
        self.init(
            isKnown ? 304 : 200, .bytes(isKnown ? [] : asset.bytes),
            [
                .init("Content-Type", asset.type), .init("ETag", asset.tag),
                .init("Cache-Control", "no-cache"),
            ])
    }

    /// The answer of the studio. As a download, it is saved and never shown, whatever it is.
    init(_ response: StudioResponse, asDownload: Bool = false) {
        let (body, type, fileName): (Body, String, String?)
        switch response.body {
        case .json(let value):
            (body, type, fileName) = (.bytes(Array(value.line.utf8)), "application/json", nil)
        case .bytes(let bytes, let contentType, let name):
            (body, type, fileName) = (.bytes(bytes), contentType.rawValue, name)
        case .parts(let parts, let contentType, let name):
            (body, type, fileName) = (.parts(parts), contentType.rawValue, name)
        }
        var fields: [RequestHead.Field] = [.init("Content-Type", type), .init("Cache-Control", "no-store")]
        if asDownload || fileName != nil {
            fields.append(.init("Content-Disposition", Self.attachment(named: fileName ?? "download")))
        }
        self.init(response.status, body, fields)
    }

    /// Writes a file's name so that no character of it ends the field (RFC 6266, RFC 8187).
    static func attachment(named name: String) -> String {
        let plain = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~".utf8)
        let escaped = name.utf8.map { byte in
            if plain.contains(byte) { return String(UnicodeScalar(byte)) }
            let digits = String(byte, radix: 16, uppercase: true)
            return "%" + (digits.count < 2 ? "0" + digits : digits)
        }
        return "attachment; filename*=UTF-8''" + escaped.joined()
    }
}
#endif
