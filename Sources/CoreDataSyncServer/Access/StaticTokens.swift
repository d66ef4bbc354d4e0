import CoreDataValues
import Foundation

/// Tokens that the configuration names, each with its user: enough for one household.
package struct StaticTokens: Sendable {
    package struct Entry: Hashable, Sendable {
        /// The SHA-256 of the token.
        package var digest: [UInt8]
        package var caller: Caller

        package init(digest: [UInt8], caller: Caller) {
            self.digest = digest
            self.caller = caller
        }

        package init(token: String, caller: Caller) {
            self.init(digest: StaticTokens.digest(of: token), caller: caller)
        }
    }

    private let entries: [Entry]

    package init(_ entries: [Entry]) {
        self.entries = entries
    }

    package static func digest(of token: String) -> [UInt8] { Array(SHA2.sha256(Array(token.utf8))) }

    /// Returns whose token this is. It takes as long for a wrong token as for a right one: hashes are
    /// compared, all of their bytes, with those of all entries.
    package func caller(of token: String) -> Caller? {
        let digest = Self.digest(of: token)
        var found: Caller?
        for entry in entries where Self.areEqual(entry.digest, digest) { found = entry.caller }
        return found
    }

    /// Compares all bytes of two digests, however many differ.
    package static func areEqual(_ first: some Collection<UInt8>, _ second: some Collection<UInt8>) -> Bool {
        guard first.count == second.count else { return false }
        return zip(first, second).reduce(0 as UInt8) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
