import Foundation

/// The parts that descriptions are made of, as Apple's framework words them.
enum Printing {
    /// Returns an object's address, which tells objects with equal contents apart.
    static func address(_ object: AnyObject) -> String {
        "\(Unmanaged.passUnretained(object).toOpaque())"
    }

    /// Returns the class without its module, the address, and the name that a developer gave.
    static func head(_ object: AnyObject, named name: String? = nil) -> String {
        "<\(type(of: object)): \(address(object))>" + (name.map { " (name: \($0))" } ?? "")
    }

    /// Returns a value as in a property list: quoted unless it is a plain word or number. Of data it returns
    /// the size and the first bytes.
    static func value(_ value: Any) -> String {
        if let data = value as? Data { return bytes(data) }
        let text = "\(value)"
        let isPlain = !text.isEmpty && text.unicodeScalars.allSatisfy(isPlain)
        return isPlain ? text : quoted(text)
    }

    static func quoted(_ text: String) -> String {
        let escaped = text.replacingOccurrences(of: "\\", with: "\\\\")
            .replacingOccurrences(of: "\"", with: "\\\"")
            .replacingOccurrences(of: "\n", with: "\\n")
        return "\"\(escaped)\""
    }

    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", "_": true
        default: false
        }
    }

    private static func bytes(_ data: Data) -> String {
        let shown = data.prefix(16).map { String(format: "%02x", $0) }.joined()
        return "{length = \(data.count), bytes = 0x\(shown)\(data.count > 16 ? "…" : "")}"
    }
}
