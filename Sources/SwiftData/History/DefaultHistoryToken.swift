import CoreData

/// A position in the history of a container's stores, up to which everything has been seen.
///
/// Keep it, encoded or not, to ask later for what happened after it.
public struct DefaultHistoryToken: HistoryToken {
    let token: NSPersistentHistoryToken

    init(_ token: NSPersistentHistoryToken) { self.token = token }

    /// The number of the last transaction of each store, by the store's identifier.
    public var tokenValue: [String: Int64] { token.numbers }

    /// Returns whether a position of the same stores is earlier.
    public static func < (left: DefaultHistoryToken, right: DefaultHistoryToken) -> Bool {
        let sums = [left, right].map { $0.tokenValue.values.reduce(0, +) }
        return sums[0] == sums[1] ? left.sorted < right.sorted : sums[0] < sums[1]
    }

    /// The stores and numbers in an order of their own, so that different tokens are never in the same place.
    private var sorted: String {
        token.texts.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: " ")
    }
}

extension DefaultHistoryToken: Codable {
    private enum Keys: String, CodingKey { case stores }

    /// Encodes the position in each store.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Keys.self)
        try container.encode(token.texts, forKey: .stores)
    }

    /// Decodes a position, equal to the one that was encoded.
    ///
    /// - Throws: `DecodingError` for anything else.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Keys.self)
        let texts = try container.decode([String: String].self, forKey: .stores)
        guard let token = NSPersistentHistoryToken(texts: texts) else {
            throw DecodingError.dataCorruptedError(
                forKey: .stores, in: container, debugDescription: "\(texts) has no positions in a history")
        }
        self.init(token)
    }
}

extension DefaultHistoryToken: ConstantStandIn {
    package var constant: NSObject { token }
}
