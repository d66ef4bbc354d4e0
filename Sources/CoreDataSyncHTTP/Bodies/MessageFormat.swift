#if SyncServer
import HTTPTypes

/// How messages are spelled: CBOR for devices, JSON for people.
enum MessageFormat: String, Sendable {
    case cbor = "application/cbor"
    case json = "application/json"

    /// Returns the format of a body; nil for any other type.
    static func body(_ fields: HTTPFields) -> MessageFormat? {
        fields[.contentType].flatMap { MessageFormat(rawValue: name($0)) }
    }

    /// Returns the format that is wanted for the answer: CBOR, unless JSON is asked for and CBOR is not.
    static func answer(_ fields: HTTPFields) -> MessageFormat {
        let wanted = (fields[.accept] ?? "").split(separator: ",").map { name(String($0)) }
        return wanted.contains(json.rawValue) && !wanted.contains(cbor.rawValue) ? .json : .cbor
    }

    /// Returns a media type without its parameters.
    private static func name(_ text: String) -> String {
        text.prefix { $0 != ";" }.filter { $0 != " " }.lowercased()
    }
}
#endif
