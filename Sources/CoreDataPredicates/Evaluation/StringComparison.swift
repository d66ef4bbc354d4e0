import Foundation

/// Searching and comparing strings as UTF-8, with the options of a comparison.
///
/// ASCII costs one pass over the bytes (about 1 ns a byte); other strings are folded first, without a call to
/// Foundation. A folded match never ends inside a character: `e` is not in `é` unless `[d]` says so. The empty
/// string is found in none, nor at the beginning or end of any.
package enum StringComparison {
    package static func contains(_ haystack: UnsafeBufferPointer<UInt8>, _ needle: FoldedNeedle) -> Bool {
        if needle.bytes.isEmpty { return false }
        let folds = needle.options.folds
        return search(haystack, needle) { haystack, needle, lowercase in
            guard haystack.count >= needle.count else { return nil }
            let first = needle[0]
            for start in 0...(haystack.count - needle.count) where lowercase[Int(haystack[start])] == first {
                if matches(haystack, at: start, needle, lowercase),
                    !folds || endsCharacter(haystack, start + needle.count)
                {
                    return start
                }
            }
            return nil
        }
    }

    package static func hasPrefix(_ haystack: UnsafeBufferPointer<UInt8>, _ needle: FoldedNeedle) -> Bool {
        if needle.bytes.isEmpty { return false }
        let folds = needle.options.folds
        return search(haystack, needle) { haystack, needle, lowercase in
            let isFound =
                haystack.count >= needle.count && matches(haystack, at: 0, needle, lowercase)
                && (!folds || endsCharacter(haystack, needle.count))
            return isFound ? 0 : nil
        }
    }

    package static func hasSuffix(_ haystack: UnsafeBufferPointer<UInt8>, _ needle: FoldedNeedle) -> Bool {
        if needle.bytes.isEmpty { return false }
        return search(haystack, needle) { haystack, needle, lowercase in
            let start = haystack.count - needle.count
            return start >= 0 && matches(haystack, at: start, needle, lowercase) ? start : nil
        }
    }

    package static func equals(_ haystack: UnsafeBufferPointer<UInt8>, _ needle: FoldedNeedle) -> Bool {
        search(haystack, needle) { haystack, needle, lowercase in
            haystack.count == needle.count && matches(haystack, at: 0, needle, lowercase) ? 0 : nil
        }
    }

    /// -1, 0 or 1: the order of the folded bytes.
    package static func compare(
        _ left: UnsafeBufferPointer<UInt8>,
        _ right: UnsafeBufferPointer<UInt8>,
        options: ComparisonOptions
    ) -> Int {
        guard options.folds else { return order(left, right) }
        return StringFolding.withFolded(left, options: options) { left in
            StringFolding.withFolded(right, options: options) { right in order(left, right) }
        }
    }

    /// -1, 0 or 1; `[l]` asks the current locale.
    package static func compare(_ left: String, _ right: String, options: ComparisonOptions) -> Int {
        if options.contains(.localeSensitive) {
            var rules: String.CompareOptions = []
            if options.contains(.caseInsensitive) { rules.insert(.caseInsensitive) }
            if options.contains(.diacriticInsensitive) { rules.insert(.diacriticInsensitive) }
            return left.compare(right, options: rules, locale: .current).rawValue
        }
        var (left, right) = (left, right)
        return left.withUTF8 { left in right.withUTF8 { right in compare(left, right, options: options) } }
    }

    /// The string as `options` see it: equal keys mean equal strings.
    package static func foldedKey(_ string: String, options: ComparisonOptions) -> String {
        var string = string
        guard options.folds else { return string }
        return string.withUTF8 { bytes in
            StringFolding.withFolded(bytes, options: options) { String(decoding: $0, as: UTF8.self) }
        }
    }

    // MARK: Bytes

    private typealias Search = (
        _ haystack: UnsafeBufferPointer<UInt8>, _ needle: UnsafeBufferPointer<UInt8>,
        _ lowercase: UnsafePointer<UInt8>
    ) -> Int?

    private static let identity: [UInt8] = Array(0...255)

    @inline(__always)
    private static func search(
        _ haystack: UnsafeBufferPointer<UInt8>,
        _ needle: FoldedNeedle,
        _ body: Search
    ) -> Bool {
        needle.bytes.withUnsafeBufferPointer { bytes in
            guard needle.options.folds else {
                return identity.withUnsafeBufferPointer { body(haystack, bytes, $0.baseAddress!) != nil }
            }
            guard StringFolding.isASCII(haystack) else {
                return StringFolding.withFolded(haystack, options: needle.options) { folded in
                    identity.withUnsafeBufferPointer { body(folded, bytes, $0.baseAddress!) != nil }
                }
            }
            let table = needle.options.contains(.caseInsensitive) ? StringFolding.lowercase : identity
            return table.withUnsafeBufferPointer { body(haystack, bytes, $0.baseAddress!) != nil }
        }
    }

    @inline(__always)
    private static func matches(
        _ haystack: UnsafeBufferPointer<UInt8>,
        at start: Int,
        _ needle: UnsafeBufferPointer<UInt8>,
        _ lowercase: UnsafePointer<UInt8>
    ) -> Bool {
        for offset in 0..<needle.count
        where lowercase[Int(haystack[start + offset])] != needle[offset] { return false }
        return true
    }

    /// Whether no mark follows that belongs to the character before.
    @inline(__always)
    private static func endsCharacter(_ bytes: UnsafeBufferPointer<UInt8>, _ index: Int) -> Bool {
        guard index < bytes.count, bytes[index] >= 0xCC else { return true }
        guard let (scalar, _) = StringFolding.decode(bytes, at: index) else { return true }
        return !FoldingTable.isMark(scalar)
    }

    private static func order(_ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>) -> Int
    {
        let common = min(left.count, right.count)
        if common > 0, let first = left.baseAddress, let second = right.baseAddress {
            let order = memcmp(first, second, common)
            if order != 0 { return order < 0 ? -1 : 1 }
        }
        return (left.count - right.count).signum()
    }
}
