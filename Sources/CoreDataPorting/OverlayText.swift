#if Overlay
/// The text of a ported source in the overlay. Every token that is not rewritten keeps its line and column.
struct OverlayText {
    private var bytes: [UInt8] = []

    /// - Parameter additions: Lines that follow the last line of the source.
    init(of source: String, _ rewrites: [Rewrite], additions: [String]) {
        let original = Array(source.utf8)
        var position = 0
        for rewrite in rewrites.sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) {
            bytes += original[position..<rewrite.range.lowerBound]
            bytes += rewrite.bytes(replacing: original[rewrite.range])
            position = rewrite.range.upperBound
        }
        bytes += original[position...]
        if !additions.isEmpty { bytes += Array(("\n" + additions.joined(separator: "\n") + "\n").utf8) }
    }

    var text: String { String(decoding: bytes, as: UTF8.self) }
}

extension Rewrite {
    fileprivate func bytes(replacing original: ArraySlice<UInt8>) -> [UInt8] {
        switch kind {
        case .attribute, .modifier, .qualifier, .submodule, .optionalCall: original.blanked
        case .runtimeName(let name): Array("@_objcRuntimeName(\(name))".utf8)
        // Without the parentheses, the tokens around the literal could be parsed in another way.
        case .keyPath(let path): original.filled("(\"\(path.text)\"", ")")
        case .selector(let name): original.filled("Selector(\"\(name)\"", ")")
        case .getter(let path): original.filled("Selector(\"\(path.text)\"", ")")
        case .selectedMethod(let number): original.filled("selector\(number)(", ")")
        case .retyping(let call): original.filled(call, ")")
        case .module(let name): Array(name.utf8)
        case .replacement(let word), .member(let word): original.filled(word, "")
        case .untypedRequest: Array("requestOfAny".utf8)
        case .accessors(let text), .overrides(let text): Array(" \(text)".utf8)
        case .classBound: Array(": AnyObject".utf8)
        }
    }
}

extension ArraySlice<UInt8> {
    private static let space = UInt8(ascii: " ")

    private static func isLineBreak(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
    }

    /// The bytes with spaces instead of everything but line breaks.
    fileprivate var blanked: [UInt8] { map { Self.isLineBreak($0) ? $0 : Self.space } }

    /// Returns text that takes the place of the bytes: a head, then spaces and line breaks, then a tail. If
    /// the bytes span several lines, the first line may become longer, since no other token follows on it.
    fileprivate func filled(_ head: String, _ tail: String) -> [UInt8] {
        let blank = blanked
        let firstLine = blank.prefix { !Self.isLineBreak($0) }
        let rest = blank.dropFirst(firstLine.count)
        guard rest.isEmpty else {
            let padding = repeatElement(Self.space, count: Swift.max(0, firstLine.count - head.utf8.count))
            return Array(head.utf8) + padding + rest.dropLast(tail.utf8.count) + Array(tail.utf8)
        }
        let padding = Swift.max(0, blank.count - head.utf8.count - tail.utf8.count)
        return Array(head.utf8) + repeatElement(Self.space, count: padding) + Array(tail.utf8)
    }
}
#endif
