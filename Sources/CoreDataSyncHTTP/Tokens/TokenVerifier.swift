#if SyncServer
import CoreDataSyncServer
import Foundation
import JWTKit

/// Finds out whose a token is.
struct TokenVerifier: Sendable {
    private let fixed: StaticTokens
    private let signed: SignedTokens?

    init(_ fixed: StaticTokens, _ signed: SignedTokens?) {
        self.fixed = fixed
        self.signed = signed
    }

    /// Returns the caller; nil for a token that is wrong, too old, or for somebody else.
    func caller(of token: String) async -> Caller? {
        if let caller = fixed.caller(of: token) { return caller }
        return await signed?.caller(of: token)
    }
}
#endif
