import CoreData
import Foundation
import GRDB

/// A row of ten integers, the table by which database libraries for Swift are often compared.
final class Integers: NSManagedObject {
    static let names = (0..<10).map { "i\($0)" }
    private static let stored = names.map { ManagedProperty($0) }

    func fill(_ number: Int) {
        for (offset, property) in Self.stored.enumerated() {
            ManagedAccess.write(self, property, Int64(number + offset))
        }
    }

    /// Returns the columns of a row.
    static func values(_ number: Int) -> [RawRows.Value] {
        (0..<10).map { .integer(Int64(number + $0)) }
    }

    /// The sum of all properties, read as a generated class reads them.
    var sum: Int64 {
        var sum: Int64 = 0
        for property in Self.stored {
            let value: Int64 = ManagedAccess.read(self, property)
            sum &+= value
        }
        return sum
    }

    /// The sum of all properties, read by their keys.
    var sumByKey: Int64 {
        var sum: Int64 = 0
        for name in Self.names { sum &+= value(forKey: name) as? Int64 ?? 0 }
        return sum
    }

    static func makeModel() -> NSManagedObjectModel {
        NSManagedObjectModel(
            NSEntityDescription(
                Integers.self, "Integers",
                [
                    "i0": .integer64AttributeType, "i1": .integer64AttributeType,
                    "i2": .integer64AttributeType,
                    "i3": .integer64AttributeType, "i4": .integer64AttributeType,
                    "i5": .integer64AttributeType,
                    "i6": .integer64AttributeType, "i7": .integer64AttributeType,
                    "i8": .integer64AttributeType,
                    "i9": .integer64AttributeType,
                ]))
    }

    static let columns = names.map { "Z\($0.uppercased())" }
    static let select = "SELECT Z_PK, \(columns.joined(separator: ", ")) FROM ZINTEGERS"
    static let insert = """
        INSERT INTO ZINTEGERS (Z_PK, Z_ENT, Z_OPT, \(columns.joined(separator: ", "))) \
        VALUES (?, 1, 1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """
}

/// A GRDB record for the same row, with its conversions written out.
struct IntegersRecord: FetchableRecord, PersistableRecord {
    static let databaseTableName = "ZINTEGERS"
    let key: Int64
    let i0, i1, i2, i3, i4, i5, i6, i7, i8, i9: Int64

    init(_ number: Int) {
        key = Int64(number + 1)
        let first = Int64(number)
        (i0, i1, i2, i3, i4) = (first, first + 1, first + 2, first + 3, first + 4)
        (i5, i6, i7, i8, i9) = (first + 5, first + 6, first + 7, first + 8, first + 9)
    }

    init(row: Row) {
        // By position, which GRDB recommends where speed counts.
        key = row[0]
        (i0, i1, i2, i3, i4) = (row[1], row[2], row[3], row[4], row[5])
        (i5, i6, i7, i8, i9) = (row[6], row[7], row[8], row[9], row[10])
    }

    func encode(to container: inout PersistenceContainer) {
        container["Z_PK"] = key
        container["Z_ENT"] = 1
        container["Z_OPT"] = 1
        container["ZI0"] = i0
        container["ZI1"] = i1
        container["ZI2"] = i2
        container["ZI3"] = i3
        container["ZI4"] = i4
        container["ZI5"] = i5
        container["ZI6"] = i6
        container["ZI7"] = i7
        container["ZI8"] = i8
        container["ZI9"] = i9
    }

    var sum: Int64 { i0 &+ i1 &+ i2 &+ i3 &+ i4 &+ i5 &+ i6 &+ i7 &+ i8 &+ i9 }
}

/// A GRDB record for the same row, with conversions that the compiler writes.
struct IntegersCodable: Codable, FetchableRecord, PersistableRecord {
    static let databaseTableName = "ZINTEGERS"
    let key, entity, version: Int64
    let i0, i1, i2, i3, i4, i5, i6, i7, i8, i9: Int64

    enum CodingKeys: String, CodingKey {
        case key = "Z_PK"
        case entity = "Z_ENT"
        case version = "Z_OPT"
        case i0 = "ZI0"
        case i1 = "ZI1"
        case i2 = "ZI2"
        case i3 = "ZI3"
        case i4 = "ZI4"
        case i5 = "ZI5"
        case i6 = "ZI6"
        case i7 = "ZI7"
        case i8 = "ZI8"
        case i9 = "ZI9"
    }

    init(_ number: Int) {
        (key, entity, version) = (Int64(number + 1), 1, 1)
        let first = Int64(number)
        (i0, i1, i2, i3, i4) = (first, first + 1, first + 2, first + 3, first + 4)
        (i5, i6, i7, i8, i9) = (first + 5, first + 6, first + 7, first + 8, first + 9)
    }

    var sum: Int64 { i0 &+ i1 &+ i2 &+ i3 &+ i4 &+ i5 &+ i6 &+ i7 &+ i8 &+ i9 }
}
