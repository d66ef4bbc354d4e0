package import Foundation

/// The text form of dates that the model editor writes beside their numeric form: `2013-04-23 12:00:00
/// +0000`, with optional time and offset.
package enum DateText {
    package static func date(from text: String) -> Date? {
        if let seconds = Double(text) { return Date(timeIntervalSinceReferenceDate: seconds) }
        let pattern =
            /(\d{4})-(\d{1,2})-(\d{1,2})(?:[ T](\d{1,2}):(\d{2})(?::(\d{2}))?)?(?:\s*(Z|[+-]\d{2}:?\d{2}))?/
        guard let match = text.wholeMatch(of: pattern) else { return nil }
        let (_, year, month, day, hour, minute, second, offset) = match.output
        let components = DateComponents(
            year: Int(year), month: Int(month), day: Int(day),
            hour: number(hour), minute: number(minute), second: number(second))
        guard components.isValidDate(in: calendar), let date = calendar.date(from: components) else {
            return nil
        }
        return date - TimeInterval(offset.map(secondsEast) ?? 0)
    }

    package static func text(of date: Date) -> String {
        let parts = calendar.dateComponents([.year, .month, .day, .hour, .minute, .second], from: date)
        func padded(_ number: Int?, _ width: Int = 2) -> String {
            let digits = String(number ?? 0)
            return String(repeating: "0", count: max(0, width - digits.count)) + digits
        }
        return "\(padded(parts.year, 4))-\(padded(parts.month))-\(padded(parts.day))"
            + " \(padded(parts.hour)):\(padded(parts.minute)):\(padded(parts.second)) +0000"
    }

    private static let calendar: Calendar = {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = TimeZone(secondsFromGMT: 0)!
        return calendar
    }()

    private static func number(_ text: Substring?) -> Int { text.flatMap { Int($0) } ?? 0 }

    private static func secondsEast(_ offset: Substring) -> Int {
        guard offset != "Z" else { return 0 }
        let digits = offset.dropFirst().filter { $0 != ":" }
        let seconds = (number(digits.prefix(2)) * 60 + number(digits.suffix(2))) * 60
        return offset.hasPrefix("-") ? -seconds : seconds
    }
}
