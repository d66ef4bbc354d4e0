internal import CoreData
internal import Foundation

/// Where the history of a store was read last.
struct HistoryPosition: Codable, Equatable, Sendable {
    /// The archived token.
    var token: Data
    /// The token before the last transaction that was read.
    var previous: Data?
    /// That transaction, by which a store is known that went another way since: an older copy.
    var last: Transaction?

    struct Transaction: Codable, Equatable, Sendable {
        var number: Int64
        var seconds: Double

        init(_ transaction: NSPersistentHistoryTransaction) {
            number = transaction.transactionNumber
            seconds = transaction.timestamp.timeIntervalSinceReferenceDate
        }
    }

    init(at token: NSPersistentHistoryToken) throws { self.token = try Self.archive(token) }

    init(bytes: [UInt8]) throws {
        self = try PropertyListDecoder().decode(HistoryPosition.self, from: Data(bytes))
    }

    func bytes() throws -> [UInt8] {
        let encoder = PropertyListEncoder()
        encoder.outputFormat = .binary
        return Array(try encoder.encode(self))
    }

    static func archive(_ token: NSPersistentHistoryToken) throws -> Data {
        try NSKeyedArchiver.archivedData(withRootObject: token, requiringSecureCoding: true)
    }

    static func token(_ archive: Data) throws -> NSPersistentHistoryToken? {
        try NSKeyedUnarchiver.unarchivedObject(ofClass: NSPersistentHistoryToken.self, from: archive)
    }
}
