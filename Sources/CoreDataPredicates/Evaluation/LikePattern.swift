/// The right side of `LIKE`: `?` stands for one character, `*` for any number of characters, and after `\`
/// both are taken literally.
package struct LikePattern: Sendable, Hashable {
    private enum Part: Hashable {
        case one
        case any
        case literal(Unicode.Scalar)
    }

    private let parts: [Part]
    private let options: ComparisonOptions

    package init(_ pattern: String, options: ComparisonOptions) {
        self.options = options
        var parts: [Part] = []
        var isEscaped = false
        for scalar in StringComparison.foldedKey(pattern, options: options).unicodeScalars {
            switch (scalar, isEscaped) {
            case ("\\", false): isEscaped = true
            case ("?", false): parts.append(.one)
            case ("*", false): if parts.last != .any { parts.append(.any) }
            default:
                parts.append(.literal(scalar))
                isEscaped = false
            }
        }
        if isEscaped { parts.append(.literal("\\")) }
        self.parts = parts
    }

    /// Returns whether the pattern matches the whole string. The time is at worst proportional to the product
    /// of both lengths.
    package func matches(_ string: String) -> Bool {
        let scalars = Array(StringComparison.foldedKey(string, options: options).unicodeScalars)
        var (read, part) = (0, 0)
        var retry: (read: Int, part: Int)?
        while read < scalars.count {
            if part < parts.count, parts[part] == .any {
                retry = (read, part + 1)
                part += 1
            } else if part < parts.count, parts[part] == .one || parts[part] == .literal(scalars[read]) {
                read += parts[part] == .one ? characterLength(scalars, read) : 1
                part += 1
            } else if let last = retry {
                retry = (last.read + 1, last.part)
                (read, part) = (last.read + 1, last.part)
            } else {
                return false
            }
        }
        return parts[part...].allSatisfy { $0 == .any }
    }

    /// Returns the number of scalars in a character: a scalar and the marks that follow it.
    private func characterLength(_ scalars: [Unicode.Scalar], _ start: Int) -> Int {
        var end = start + 1
        while end < scalars.count, FoldingTable.isMark(scalars[end]) { end += 1 }
        return end - start
    }
}
