#if Studio
/// What the gate sees of a request: its first line and its fields, as they came.
package struct RequestHead: Sendable, Hashable {
    package struct Field: Sendable, Hashable {
        package let name: String
        package let value: String

        package init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    package let method: String
    package let target: String
    package let fields: [Field]

    package init(_ method: String, _ target: String, _ fields: [Field]) {
        self.method = method
        self.target = target
        self.fields = fields
    }

    /// Returns all values of a field, whose name is given in lower case.
    func values(of name: String) -> [String] {
        fields.filter { $0.name.lowercased() == name }.map(\.value)
    }

    /// The target without its query.
    var path: Substring { target.prefix { $0 != "?" } }

    /// Whether the request asks the studio, rather than for a file of the page.
    var isForInterface: Bool { path.hasPrefix("/api/") }

    /// The number of bytes that follow the head; nil if it does not say so clearly.
    var bodyLength: Int? {
        let lengths = values(of: "content-length")
        guard let text = lengths.first else { return 0 }
        guard lengths.count == 1, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int(text)
    }
}
#endif
