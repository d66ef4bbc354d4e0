import Foundation

/// The search in strings and their comparison, as UTF-8, with the options of a comparison.
///
/// ASCII takes one pass over the bytes, eight at a time. Other strings are folded first, without a call to
/// Foundation. A match in folded strings never ends inside a character: `é` does not contain `e` unless `[d]`
/// is given. No string contains, begins with or ends with the empty string.
package enum StringComparison {
    package static func contains(_ haystack: UnsafeBufferPointer<UInt8>, _ needle: FoldedNeedle) -> Bool {
        if needle.bytes.isEmpty { return false }
        let folds = needle.options.folds
        return search(haystack, needle) { haystack, needle, ignoresCase in
            ByteSearch.contains(haystack, needle, ignoresCase: ignoresCase) {
                !folds || endsCharacter(haystack, $0)
            }
        }
    }

    package static func hasPrefix(_ haystack: UnsafeBufferPointer<UInt8>, _ needle: FoldedNeedle) -> Bool {
        if needle.bytes.isEmpty { return false }
        let folds = needle.options.folds
        return search(haystack, needle) { haystack, needle, ignoresCase in
            haystack.count >= needle.count
                && ByteSearch.matches(haystack, at: 0, needle, ignoresCase: ignoresCase)
                && (!folds || endsCharacter(haystack, needle.count))
        }
    }

    package static func hasSuffix(_ haystack: UnsafeBufferPointer<UInt8>, _ needle: FoldedNeedle) -> Bool {
        if needle.bytes.isEmpty { return false }
        return search(haystack, needle) { haystack, needle, ignoresCase in
            let start = haystack.count - needle.count
            return start >= 0 && ByteSearch.matches(haystack, at: start, needle, ignoresCase: ignoresCase)
        }
    }

    package static func equals(_ haystack: UnsafeBufferPointer<UInt8>, _ needle: FoldedNeedle) -> Bool {
        search(haystack, needle) { haystack, needle, ignoresCase in
            haystack.count == needle.count
                && ByteSearch.matches(haystack, at: 0, needle, ignoresCase: ignoresCase)
        }
    }

    /// Returns -1, 0 or 1, by the order of the folded bytes.
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

    /// Returns -1, 0 or 1; with `[l]`, by the order of the current locale.
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

    /// Returns the string folded by the options. Strings with equal results are equal under the options.
    package static func foldedKey(_ string: String, options: ComparisonOptions) -> String {
        var string = string
        guard options.folds else { return string }
        return string.withUTF8 { bytes in
            StringFolding.withFolded(bytes, options: options) { String(decoding: $0, as: UTF8.self) }
        }
    }

    // MARK: Bytes

    /// Calls a body with the haystack folded by the needle's options. ASCII text is not folded, since the
    /// search itself can ignore its case.
    @inline(__always)
    private static func search(
        _ haystack: UnsafeBufferPointer<UInt8>,
        _ needle: FoldedNeedle,
        _ body: (
            _ haystack: UnsafeBufferPointer<UInt8>, _ needle: UnsafeBufferPointer<UInt8>, _ ignoresCase: Bool
        ) -> Bool
    ) -> Bool {
        needle.bytes.withUnsafeBufferPointer { bytes in
            guard needle.options.folds else { return body(haystack, bytes, false) }
            if StringFolding.isASCII(haystack) {
                return body(haystack, bytes, needle.options.contains(.caseInsensitive))
            }
            return StringFolding.withFolded(haystack, options: needle.options) { body($0, bytes, false) }
        }
    }

    /// Returns whether the next bytes are not a mark that belongs to the character before them.
    @inline(__always)
    private static func endsCharacter(_ bytes: UnsafeBufferPointer<UInt8>, _ index: Int) -> Bool {
        guard index < bytes.count, bytes[index] >= 0xCC else { return true }
        return !isMark(bytes, index)
    }

    @inline(never)
    private static func isMark(_ bytes: UnsafeBufferPointer<UInt8>, _ index: Int) -> Bool {
        StringFolding.decode(bytes, at: index).map { FoldingTable.isMark($0.scalar) } ?? false
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
