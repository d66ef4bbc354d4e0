import CoreDataSyncCore
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// An answer of a server that is no answer of the protocol.
package struct SyncHTTPError: Error, Hashable, CustomStringConvertible {
    package let status: Int
    /// What the server says.
    package let reason: String
    /// The version that the server wants of the app, if it does not take an older one.
    package var minimumVersion: String?
    /// After how many seconds it may be asked again; nil if it does not say.
    package let retryAfter: Int?

    package init(status: Int, reason: String, retryAfter: Int? = nil) {
        self.status = status
        self.reason = reason
        self.retryAfter = retryAfter
    }

    init(_ response: HTTPURLResponse, _ bytes: [UInt8]) {
        status = response.statusCode
        minimumVersion = response.value(forHTTPHeaderField: HeaderFields.minimumVersion)
        retryAfter = response.value(forHTTPHeaderField: "Retry-After").flatMap { Int($0) }
        // A proxy answers in its own words.
        let tree = try? CBORReader.read(bytes, limits: WireLimits(bytes: 1 << 16))
        if case .map(let members)? = tree, let text = members.first(where: { $0.key == "error" })?.value,
            case .text(let reason) = text
        {
            self.reason = reason
        } else {
            reason = HTTPURLResponse.localizedString(forStatusCode: response.statusCode)
        }
    }

    /// Whether bytes are a refusal of the protocol.
    static func isRefusal(_ bytes: [UInt8]) -> Bool {
        guard let tree = try? CBORReader.read(bytes, limits: WireLimits(bytes: 1 << 16)),
            case .refused? = (try? SyncResponse(wire: tree))?.answer
        else { return false }
        return true
    }

    package var description: String { "\(status): \(reason)" }
}
