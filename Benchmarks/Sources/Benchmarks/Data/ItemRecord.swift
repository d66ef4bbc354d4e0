import Foundation
import GRDB

/// A GRDB record for the same row, with its conversions written out, which makes it as fast as a record can
/// be.
struct ItemRecord: FetchableRecord, PersistableRecord {
    static let databaseTableName = "ZITEM"

    let key: Int64
    var version: Int64
    let rank: Int16
    var quantity: Int32
    let serial: Int64
    let ratio: Double
    let weight: Double
    let created: Double
    let isActive: Bool
    let code: String?
    let city: String?
    let note: String?

    init(_ sample: Sample, key: Int64) {
        self.key = key
        version = 1
        rank = sample.rank
        quantity = sample.quantity
        serial = sample.serial
        ratio = sample.ratio
        weight = sample.weight
        created = sample.created.timeIntervalSinceReferenceDate
        isActive = sample.isActive
        code = sample.code
        city = sample.city
        note = sample.note
    }

    init(row: Row) {
        key = row["Z_PK"]
        version = row["Z_OPT"]
        rank = row["ZRANK"]
        quantity = row["ZQUANTITY"]
        serial = row["ZSERIAL"]
        ratio = row["ZRATIO"]
        weight = row["ZWEIGHT"]
        created = row["ZCREATED"]
        isActive = row["ZISACTIVE"]
        code = row["ZCODE"]
        city = row["ZCITY"]
        note = row["ZNOTE"]
    }

    func encode(to container: inout PersistenceContainer) {
        container["Z_PK"] = key
        container["Z_ENT"] = 1
        container["Z_OPT"] = version
        container["ZRANK"] = rank
        container["ZQUANTITY"] = quantity
        container["ZSERIAL"] = serial
        container["ZRATIO"] = ratio
        container["ZWEIGHT"] = weight
        container["ZCREATED"] = created
        container["ZISACTIVE"] = isActive
        container["ZCODE"] = code
        container["ZCITY"] = city
        container["ZNOTE"] = note
    }

    var checksum: Int {
        var sum = Int(rank) &+ Int(quantity) &+ Int(serial) &+ Int(ratio) &+ Int(weight)
        sum &+= Int(created) &+ (isActive ? 1 : 0)
        return sum &+ (code?.utf8.count ?? 0) &+ (city?.utf8.count ?? 0) &+ (note?.utf8.count ?? 0)
    }

    /// Opens a connection with the settings of the other candidates.
    static func open(_ path: String) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.prepareDatabase { database in
            try database.execute(sql: "PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 10000")
        }
        return try DatabaseQueue(path: path, configuration: configuration)
    }
}
