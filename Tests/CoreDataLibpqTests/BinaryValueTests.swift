import CoreDataSQL
import Foundation
import PostgreSQLTestSupport
import Testing

@testable import CoreDataLibpq

@Suite("Values in binary form", .needsServer)
struct BinaryValueTests {
    private let connection: PostgreSQLConnection

    init() throws {
        connection = try Database.connect()
        try connection.execute("SET bytea_output = hex; SET extra_float_digits = 1")
    }

    /// A generator of the same numbers for the same seed.
    private struct SeededGenerator: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var result = state
            result = (result ^ (result >> 30)) &* 0xBF58_476D_1CE4_E5B9
            result = (result ^ (result >> 27)) &* 0x94D0_49BB_1331_11EB
            return result ^ (result >> 31)
        }
    }

    /// Sends values one by one and as an array, with nulls between them. Compares the values that come back,
    /// and the texts that the server makes of them.
    private func check<Value: BinaryValue>(
        _ values: [Value], isSame: (Value, Value) -> Bool, isText: (String, Value) -> Bool,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let withNulls: [Value?] = values.flatMap { [$0, nil] }
        var parameters = ParameterList()
        parameters.append(array: withNulls)
        var count = 0
        let sql: SQLText = """
            SELECT l.a, e.v, e.v::text
            FROM (SELECT ? AS a) AS l, unnest(l.a) WITH ORDINALITY AS e(v, i) ORDER BY e.i
            """
        try connection.forEachRow(of: sql, parameters) { cells throws(PostgreSQLError) in
            let sent = withNulls[count]
            let received = cells.value(1, as: Value.self)
            let text = cells.value(2, as: String.self)
            if let sent, let received, let text {
                #expect(isSame(sent, received), "\(sent) became \(received)", sourceLocation: sourceLocation)
                #expect(isText(text, sent), "\(sent) is \(text) there", sourceLocation: sourceLocation)
            } else {
                #expect(
                    sent == nil && received == nil && cells.isNull(1), "\(String(describing: sent))",
                    sourceLocation: sourceLocation)
            }
            if count == 0 {
                let array = cells.array(0, of: Value.self)
                #expect(array?.count == withNulls.count, sourceLocation: sourceLocation)
                for (sent, received) in zip(withNulls, array ?? []) {
                    let same =
                        if let sent, let received { isSame(sent, received) } else {
                            sent == nil && received == nil
                        }
                    #expect(same, sourceLocation: sourceLocation)
                }
            }
            count += 1
        }
        #expect(count == withNulls.count, sourceLocation: sourceLocation)
        for value in values.prefix(20) {
            let received = try connection.value("SELECT ?", value, as: Value.self)
            #expect(received.map { isSame(value, $0) } == true, sourceLocation: sourceLocation)
        }
        var empty = ParameterList()
        empty.append(array: [Value]())
        empty.append(nil as Value?)
        try connection.forEachRow(of: "SELECT ?, ?", empty) { cells throws(PostgreSQLError) in
            #expect(cells.array(0, of: Value.self)?.isEmpty == true, sourceLocation: sourceLocation)
            #expect(cells.isNull(1), sourceLocation: sourceLocation)
        }
    }

    private static func integers<Value: FixedWidthInteger & SignedInteger>(_ seed: UInt64) -> [Value] {
        var generator = SeededGenerator(state: seed)
        return [.min, .max, 0, 1, -1]
            + (0..<200).map { _ in
                let value = Value.random(in: .min ... .max, using: &generator)
                return value >> Value.random(in: 0..<Value(Value.bitWidth), using: &generator)
            }
    }

    @Test("Integers of every width come back as they were sent", arguments: 1...3)
    func integers(_ seed: UInt64) throws {
        try check(Self.integers(seed) as [Int16], isSame: ==) { $0 == String($1) }
        try check(Self.integers(seed) as [Int32], isSame: ==) { $0 == String($1) }
        try check(Self.integers(seed) as [Int64], isSame: ==) { $0 == String($1) }
        try check([true, false], isSame: ==) { $0 == String($1) }
    }

    @Test("Doubles come back bit for bit", arguments: 1...3)
    func doubles(_ seed: UInt64) throws {
        var generator = SeededGenerator(state: seed)
        let special: [Double] = [
            0, -0.0, .nan, .infinity, -.infinity, .pi, .leastNonzeroMagnitude, .greatestFiniteMagnitude,
            1e308,
            .ulpOfOne, 721_692_800.123_456_7,
        ]
        let random = (0..<300).map { _ in Double(bitPattern: generator.next()) }
        try check(special + random, isSame: { $0.bitPattern == $1.bitPattern }) { text, value in
            value.isNaN ? text == "NaN" : Double(text.lowercased()) == value
        }
    }

    @Test("Texts, bytes and UUIDs come back as they were sent", arguments: 1...3)
    func bytes(_ seed: UInt64) throws {
        var generator = SeededGenerator(state: seed)
        func random(_ count: Int) -> [UInt8] {
            (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
        }
        let blobs = (0..<100).map { Data(random($0)) } + [Data(random(70_000))]
        try check(blobs, isSame: ==) { text, value in
            text == "\\x" + value.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        }
        let scalars = (0..<300).map { _ in
            UnicodeScalar(UInt32.random(in: 1..<0x11_0000, using: &generator)) ?? "\u{301}"
        }
        var texts = ["", "a", "ß", "か゚", "e\u{301}", "👩‍👩‍👧", "'\"\\{},NULL", "null"]
        for start in 0..<100 {
            var text = String.UnicodeScalarView()
            text.append(contentsOf: scalars[start..<start + start])
            texts.append(String(text))
        }
        try check(texts, isSame: { $0.utf8.elementsEqual($1.utf8) }) { $0.utf8.elementsEqual($1.utf8) }
        let uuids = (0..<100).map { _ in
            random(16).withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
        }
        try check(uuids, isSame: ==) { $0 == $1.uuidString.lowercased() }
    }

    private static func isSameDecimal(_ left: Decimal, _ right: Decimal) -> Bool {
        left.isNaN ? right.isNaN : left == right && left.isSignMinus == right.isSignMinus
    }

    @Test("Decimals come back to the last digit, with every exponent", arguments: 1...3)
    func decimals(_ seed: UInt64) throws {
        var generator = SeededGenerator(state: seed)
        let largest = Decimal(string: "340282366920938463463374607431768211455")!
        let special: [Decimal] = [
            0, 1, -1, 10_000, Decimal(string: "0.0001")!, Decimal(string: "9999.9999")!, .nan, largest,
            -largest,
            .greatestFiniteMagnitude, -.greatestFiniteMagnitude, .leastNonzeroMagnitude, .pi,
        ]
        let random = (0..<400).map { number in
            let digits = Int.random(in: 1...38, using: &generator)
            let mantissa = (0..<digits).reduce("") { text, _ in
                text + String(Int.random(in: 0...9, using: &generator))
            }
            return Decimal(
                sign: Bool.random(using: &generator) ? .minus : .plus, exponent: number % 256 - 128,
                significand: Decimal(string: mantissa)!)
        }
        let all = (special + random).map { $0 == 0 ? 0 : $0 }
        try check(all, isSame: Self.isSameDecimal) { text, value in
            value.isNaN ? text == "NaN" : text == Self.plain(value)
        }
    }

    /// Returns all digits of a number as the server writes it.
    private static func plain(_ value: Decimal) -> String {
        let digits = value.magnitude.significand.description
        let sign = value.isSignMinus ? "-" : ""
        guard value.exponent < 0 else {
            return sign + (value == 0 ? "0" : digits + String(repeating: "0", count: value.exponent))
        }
        let padded = String(repeating: "0", count: max(0, 1 - value.exponent - digits.count)) + digits
        return "\(sign)\(padded.dropLast(-value.exponent)).\(padded.suffix(-value.exponent))"
    }

    @Test(
        "A number with more digits than a decimal has is rounded, and one that is too large is nil",
        arguments: [
            ("123456789012345678901234567890123456789.5", "123456789012345678901234567890123456790"),
            ("0.1234567890123456789012345678901234567894", "0.123456789012345678901234567890123456789"),
            ("1e160", "1000000000000000000000000000000000e127"), ("-1.500", "-1.5"), ("1e-140", "0"),
            ("6e-129", "1e-128"), ("0.000", "0"),
            ("999999999999999999999999999999999999999999", "1000000000000000000000000000000000000000000"),
            ("1e170", nil), ("'Infinity'", nil), ("'-Infinity'", nil),
        ])
    func numbersOfTheServer(_ text: String, _ expected: String?) throws {
        let value = try connection.value(
            "SELECT \(quoting: text.filter { $0 != "'" })::numeric", as: Decimal.self)
        let number = expected.map { text in
            let parts = text.split(separator: "e")
            // Foundation reads no exponent above 127 from a text.
            let number = Decimal(string: String(parts[0]))!
            return Decimal(
                sign: number.sign, exponent: parts.count > 1 ? Int(parts[1])! : 0,
                significand: number.magnitude)
        }
        #expect(value == number, "\(String(describing: value))")
    }

    @Test("Equal numbers have equal bytes, however many trailing zeros the server stores")
    func normalForm() throws {
        let values = try ["1.50", "1.5000", "1.5"].map {
            try connection.value("SELECT \(quoting: $0)::numeric", as: Decimal.self)!
        }
        let bytes = values.map { value in withUnsafeBytes(of: value) { Array($0) } }
        #expect(Set(bytes).count == 1)
    }

    @Test("A cell of any type becomes a value of the SQL layer")
    func values() throws {
        let statement = connection.statement(
            """
            SELECT 1::int2, 2::int4, 3::int8, true, 0.5::float8, 'x'::text, 1.25::numeric,
                decode('0102', 'hex'), NULL::int8
            """
        )
        #expect(try statement.step())
        let types = statement.columnTypes
        #expect(types == [.int2, .int4, .int8, .bool, .float8, .text, .numeric, .bytea, .int8])
        let values = types.enumerated().map { SQLValue(statement.cells, $0, as: $1) }
        #expect(
            values == [
                .integer(1), .integer(2), .integer(3), .integer(1), .double(0.5), .text("x"), .double(1.25),
                .blob(Data([1, 2])), .null,
            ])
    }

    @Test("Cells are read in libpq's memory, without a copy")
    func inPlace() throws {
        let statement = connection.statement("SELECT repeat('x', 100000)::text, ''::text, NULL::text")
        #expect(try statement.step())
        let cells = statement.cells
        #expect(cells.bytes(0).count == 100_000)
        #expect(cells.bytes(0).baseAddress == cells.bytes(0).baseAddress)
        #expect(!cells.isNull(1))
        #expect(cells.bytes(1).isEmpty)
        #expect(cells.isNull(2))
    }
}
