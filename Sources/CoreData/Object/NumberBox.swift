import Foundation

/// The boxing of numbers for key-value access, each with the type of its attribute.
///
/// Small numbers are made once: making one costs more than the rest of reading a value by its key.
enum NumberBox {
    private static var small: ClosedRange<Int64> { -16...255 }
    private static let integers16 = small.map { NSNumber(value: Int16($0)) }
    private static let integers32 = small.map { NSNumber(value: Int32($0)) }
    private static let integers64 = small.map { NSNumber(value: $0) }
    private static let yes = NSNumber(value: true)
    private static let no = NSNumber(value: false)

    static func integer16(_ value: Int64) -> NSNumber {
        known(value, integers16) ?? NSNumber(value: Int16(truncatingIfNeeded: value))
    }

    static func integer32(_ value: Int64) -> NSNumber {
        known(value, integers32) ?? NSNumber(value: Int32(truncatingIfNeeded: value))
    }

    static func integer64(_ value: Int64) -> NSNumber {
        known(value, integers64) ?? NSNumber(value: value)
    }

    static func boolean(_ value: Bool) -> NSNumber { value ? yes : no }

    /// Returns a small number that is made already; `numbers` is an autoclosure, since reading it takes a
    /// call.
    private static func known(_ value: Int64, _ numbers: @autoclosure () -> [NSNumber]) -> NSNumber? {
        small.contains(value) ? numbers()[Int(value - small.lowerBound)] : nil
    }
}
