import CSQLite
import CoreDataPredicates
import CoreDataSQL

/// A string search, prepared once per statement: SQLite stores it with the argument of the needle if that is
/// a constant.
final class StringMatcher {
    private enum Form {
        case needle(StringMatch, FoldedNeedle)
        case like(LikePattern)
        case pattern(MatchPattern)
        /// `==[l]`: equality by the rules of the locale.
        case locale(String, ComparisonOptions)
    }

    private let form: Form

    private static let needleArgument: Int32 = 2

    private init?(_ match: StringMatch, _ needle: UnsafeBufferPointer<UInt8>, _ options: ComparisonOptions) {
        switch match {
        case .equal where options.contains(.localeSensitive):
            form = .locale(String(decoding: needle, as: UTF8.self), options)
        case .equal, .beginsWith, .endsWith, .contains:
            form = .needle(match, FoldedNeedle(utf8: needle, options: options))
        case .like: form = .like(LikePattern(String(decoding: needle, as: UTF8.self), options: options))
        case .matches:
            let text = String(decoding: needle, as: UTF8.self)
            guard let pattern = MatchPattern.pattern(text, options: options) else { return nil }
            form = .pattern(pattern)
        }
    }

    /// Returns the matcher for the arguments `(kind, haystack, needle, options)`. Nil if the needle is NULL,
    /// or after reporting a bad pattern.
    static func matcher(_ context: OpaquePointer?, _ arguments: SQLiteFunctions.Arguments) -> StringMatcher? {
        if let kept = sqlite3_get_auxdata(context, needleArgument) {
            return Unmanaged<StringMatcher>.fromOpaque(kept).takeUnretainedValue()
        }
        guard let needle = SQLiteFunctions.text(arguments[Int(needleArgument)]) else { return nil }
        let options = ComparisonOptions(rawValue: UInt(sqlite3_value_int(arguments[3])))
        guard let match = StringMatch(rawValue: Int(sqlite3_value_int(arguments[0]))),
            let matcher = StringMatcher(match, needle, options)
        else {
            let pattern = String(decoding: needle, as: UTF8.self)
            sqlite3_result_error(context, "\"\(pattern)\" is no regular expression", -1)
            return nil
        }
        sqlite3_set_auxdata(context, needleArgument, Unmanaged.passRetained(matcher).toOpaque()) {
            if let kept = $0 { Unmanaged<StringMatcher>.fromOpaque(kept).release() }
        }
        return matcher
    }

    func matches(_ haystack: UnsafeBufferPointer<UInt8>) -> Bool {
        switch form {
        case .needle(let match, let needle):
            switch match {
            case .equal: StringComparison.equals(haystack, needle)
            case .beginsWith: StringComparison.hasPrefix(haystack, needle)
            case .endsWith: StringComparison.hasSuffix(haystack, needle)
            case .contains, .like, .matches: StringComparison.contains(haystack, needle)
            }
        case .like(let pattern): pattern.matches(String(decoding: haystack, as: UTF8.self))
        case .pattern(let pattern): pattern.matches(String(decoding: haystack, as: UTF8.self))
        case .locale(let needle, let options):
            StringComparison.compare(String(decoding: haystack, as: UTF8.self), needle, options: options) == 0
        }
    }
}
