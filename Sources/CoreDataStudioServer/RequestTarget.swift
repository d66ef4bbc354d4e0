#if Studio
import Foundation

/// The target of a request, decoded: the parts of its path, and the fields of its query.
struct RequestTarget: Sendable, Hashable {
    let path: [String]
    let query: [String: String]

    /// Reads a target. Returns nil if an escape is broken, or a part would leave the folder (`..`), hide a
    /// separator or hold a zero.
    init?(_ target: String) {
        let halves = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        var path: [String] = []
        for part in halves[0].split(separator: "/", omittingEmptySubsequences: true) {
            guard let decoded = part.removingPercentEncoding, !decoded.utf8.contains(0), decoded != "..",
                decoded != "."
            else { return nil }
            path.append(decoded)
        }
        var query: [String: String] = [:]
        for field in halves.count > 1 ? halves[1].split(separator: "&") : [] {
            let pair = field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let texts = pair.map { $0.replacing("+", with: " ").removingPercentEncoding }
            guard let name = texts[0], let value = pair.count > 1 ? texts[1] : "" else { return nil }
            query[name] = value
        }
        (self.path, self.query) = (path, query)
    }
}
#endif
