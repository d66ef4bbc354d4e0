package import Foundation

/// A lossless coding of dates as ISO 8601 texts in UTC, with as many fractional digits as are needed to read
/// the same date back.
///
/// Foundation's formatters, which exports would use otherwise, drop everything after milliseconds and are
/// slower.
package enum DateCoding {
    private static let secondsADay = 86_400.0
    /// The number of days from 1970-01-01 to 2001-01-01.
    private static let referenceDay = 11_323

    /// Returns the text of a date; nil for a date before the year 1 or after 9999, or one that a text cannot
    /// express exactly.
    package static func text(of date: Date) -> String? {
        let seconds = date.timeIntervalSinceReferenceDate
        guard seconds > -63_113_904_000, seconds < 252_423_993_600 else { return nil }
        let whole = seconds.rounded(.down)
        if whole == seconds { return clock(whole) + "Z" }
        for digits in [3, 6, 7] {
            let scale = pow(10, Double(digits))
            let part = ((seconds - whole) * scale).rounded()
            guard part < scale else { continue }
            let fraction = String(Int(part))
            let padding = String(repeating: "0", count: digits - fraction.count)
            let text = clock(whole) + "." + padding + fraction + "Z"
            if Self.date(of: text) == date { return text }
        }
        return nil
    }

    private static func clock(_ seconds: Double) -> String {
        let day = Int((seconds / secondsADay).rounded(.down))
        let second = Int(seconds - Double(day) * secondsADay)
        let (year, month, dayOfMonth) = civil(day + referenceDay)
        return "\(padded(year, 4))-\(padded(month, 2))-\(padded(dayOfMonth, 2))T"
            + "\(padded(second / 3600, 2)):\(padded(second / 60 % 60, 2)):\(padded(second % 60, 2))"
    }

    private static func padded(_ number: Int, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }

    /// Returns the date of a text. The time of day, its fraction and the offset may be missing; a date
    /// without a time is midnight in UTC.
    package static func date(of text: String) -> Date? {
        var reader = DigitReader(text)
        guard let year = reader.number(4), reader.take("-"), let month = reader.number(2), reader.take("-"),
            let dayOfMonth = reader.number(2), let days = day(year, month, dayOfMonth)
        else { return nil }
        var (clock, fraction) = (0, 0.0)
        if reader.take("T") || reader.take(" ") {
            guard let hour = reader.number(2), reader.take(":"), let minute = reader.number(2) else {
                return nil
            }
            var second = 0
            if reader.take(":") {
                guard let number = reader.number(2) else { return nil }
                (second, fraction) = (number, reader.fraction())
            }
            guard hour < 24, minute < 60, second < 61 else { return nil }
            clock = hour * 3600 + minute * 60 + second
        }
        guard let east = offset(&reader), reader.isAtEnd else { return nil }
        let whole = Double(days - referenceDay) * secondsADay + Double(clock - east)
        return Date(timeIntervalSinceReferenceDate: whole + fraction)
    }

    /// Reads the seconds east of Greenwich; 0 if there is no offset, nil if the text is not an offset.
    private static func offset(_ reader: inout DigitReader) -> Int? {
        _ = reader.take(" ")
        if reader.isAtEnd || reader.take("Z") { return 0 }
        let isWest = reader.take("-")
        guard isWest || reader.take("+"), let hours = reader.number(2) else { return nil }
        _ = reader.take(":")
        guard let minutes = reader.number(2) else { return nil }
        return (isWest ? -1 : 1) * (hours * 60 + minutes) * 60
    }

    // MARK: The calendar

    /// Converts days since 1970 into year, month and day, by eras of 400 years that begin in March.
    private static func civil(_ day: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = day + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        return (
            yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        )
    }

    /// Converts year, month and day into days since 1970; nil for a day that the month does not have.
    private static func day(_ year: Int, _ month: Int, _ day: Int) -> Int? {
        guard (1...12).contains(month), (1...31).contains(day) else { return nil }
        let shiftedYear = month <= 2 ? year - 1 : year
        let era = (shiftedYear >= 0 ? shiftedYear : shiftedYear - 399) / 400
        let yearOfEra = shiftedYear - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let result =
            era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
        return civil(result) == (year, month, day) ? result : nil
    }
}

/// A reader of digits and signs from the beginning of a text.
private struct DigitReader {
    private var rest: Substring.UTF8View

    init(_ text: String) {
        rest = Substring(text).utf8
    }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard rest.first == UInt8(ascii: character) else { return false }
        rest.removeFirst()
        return true
    }

    /// Reads a number of exactly `digits` digits; nil if there are fewer.
    mutating func number(_ digits: Int) -> Int? {
        guard rest.prefix(digits).count == digits else { return nil }
        var number = 0
        for byte in rest.prefix(digits) {
            guard (0x30...0x39).contains(byte) else { return nil }
            number = number * 10 + Int(byte - 0x30)
        }
        rest.removeFirst(digits)
        return number
    }

    /// Reads a point and the digits after it; 0 if there are none.
    mutating func fraction() -> Double {
        let digits = rest.dropFirst().prefix { (0x30...0x39).contains($0) }
        guard rest.first == UInt8(ascii: "."), !digits.isEmpty else { return 0 }
        rest = rest[digits.endIndex...]
        return Double("0." + String(Substring(digits))) ?? 0
    }
}
