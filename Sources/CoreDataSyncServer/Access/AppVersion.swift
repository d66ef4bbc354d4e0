/// The version of an app as people write it: numbers with periods between.
package struct AppVersion: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// Without zeros at the end: 2 and 2.0 are one version.
    private let numbers: [UInt]

    /// Reads a version; nil for a text that is none. What follows the number of the last part, as in 2.1-beta, is left out.
    package init?(_ text: String) {
        var numbers: [UInt] = []
        for part in text.prefix(100).split(separator: ".", omittingEmptySubsequences: false) {
            let digits = part.prefix { $0.isASCII && $0.isNumber }
            guard let number = UInt(digits) else { return nil }
            numbers.append(number)
            if digits.count < part.count { break }
        }
        while numbers.last == 0 { numbers.removeLast() }
        self.numbers = numbers
    }

    package var description: String {
        numbers.isEmpty ? "0" : numbers.map(String.init).joined(separator: ".")
    }

    package static func < (first: AppVersion, second: AppVersion) -> Bool {
        first.numbers.lexicographicallyPrecedes(second.numbers)
    }
}
