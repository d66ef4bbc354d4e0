#if Overlay
/// A source as the compiler is to read it: ported, with every other token on the line and column where it was.
struct OverlayText {
    private var bytes: [UInt8] = []

    /// - Parameter additions: lines that follow the last of the source.
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
        // In parentheses, so that what stands beside it sees the same neighbours as before.
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

    /// Nothing, as wide and as high as before.
    fileprivate var blanked: [UInt8] { map { Self.isLineBreak($0) ? $0 : Self.space } }

    /// Text at the beginning, text at the end, and nothing in between. The first line may become longer where others
    /// follow: nothing else stands on it.
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
