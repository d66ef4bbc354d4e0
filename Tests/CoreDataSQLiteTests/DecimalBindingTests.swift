import CSQLite
import CoreDataValues
import Foundation
import Testing

@Suite("Decimal numbers in a column")
struct DecimalBindingTests {
    /// A column of decimals, which returns a value as SQLite stores it.
    private final class Column {
        private var database: OpaquePointer?
        private var statement: OpaquePointer?

        init() {
            sqlite3_open(":memory:", &database)
            sqlite3_exec(database, "CREATE TABLE t (d DECIMAL)", nil, nil, nil)
            sqlite3_prepare_v2(
                database, "INSERT INTO t VALUES (?) RETURNING typeof(d), d", -1, &statement, nil)
        }

        deinit {
            sqlite3_finalize(statement)
            sqlite3_close(database)
        }

        func stored(_ bind: (OpaquePointer?) -> Void) -> (type: String, value: Double) {
            bind(statement)
            defer { sqlite3_reset(statement) }
            guard sqlite3_step(statement) == SQLITE_ROW else { return ("", .nan) }
            return (String(cString: sqlite3_column_text(statement, 0)), sqlite3_column_double(statement, 1))
        }
    }

    private static func random(_ random: inout SystemRandomNumberGenerator) -> Decimal {
        let digits = Int.random(in: 0...17, using: &random)
        let text = (0..<max(1, digits)).map { _ in String(Int.random(in: 0...9, using: &random)) }.joined()
        let exponent = Int.random(in: -24...8, using: &random)
        return Decimal(
            sign: Bool.random(using: &random) ? .minus : .plus, exponent: exponent,
            significand: Decimal(string: text) ?? 0)
    }

    @Test("A decimal is stored as the double nearest to its digits, and is read as the same decimal")
    func agreement() {
        let column = Column()
        var generator = SystemRandomNumberGenerator()
        var (compared, rounded) = (0, 0)
        for _ in 0..<20_000 {
            let number = Self.random(&generator)
            guard let double = number.nearestDouble else { continue }
            compared += 1
            let text = column.stored {
                sqlite3_bind_text($0, 1, number.description, -1, opencoredata_transient())
            }
            let direct = column.stored { sqlite3_bind_double($0, 1, double) }
            #expect(direct.value == Double(number.description), "\(number)")
            #expect(direct.type == text.type, "\(number)")
            #expect(Decimal(written: direct.value) == number, "\(number)")
            // SQLite sometimes reads long digits as the neighbouring double, which is another number.
            #expect(abs(text.value - direct.value) <= direct.value.ulp.magnitude, "\(number)")
            if text.value != direct.value { rounded += 1 }
        }
        #expect(compared > 10_000)
        #expect(rounded < 100)
    }

    @Test("A double is read as the decimal with its shortest digits")
    func shortest() {
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<20_000 {
            let places = Double(Int.random(in: 0...8, using: &generator))
            let whole = Double(Int.random(in: -99_999_999...99_999_999, using: &generator))
            for double in [whole / pow(10, places), .random(in: -1e16...1e16, using: &generator), whole] {
                #expect(Decimal(written: double) == Decimal(string: double.description), "\(double)")
            }
        }
        #expect(Decimal(written: -0.0) == 0)
        #expect(Decimal(written: .infinity).isNaN)
    }

    @Test("A decimal without an exact double, and not-a-number, is bound as text")
    func others() {
        #expect(Decimal.nan.nearestDouble == nil)
        #expect(Decimal(string: "1234567890123456789")?.nearestDouble == nil)
        #expect(Decimal(string: "0.00000000000000000000000001")?.nearestDouble == nil)
        #expect(Decimal(string: "1E+30")?.nearestDouble == nil)
        #expect(Decimal(string: "-1.19")?.nearestDouble == -1.19)
        #expect(Decimal(12_000).nearestDouble == 12_000)
        #expect(Decimal(0).nearestDouble == 0)
    }
}
