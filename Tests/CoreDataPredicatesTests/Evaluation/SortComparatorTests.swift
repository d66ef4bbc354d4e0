import CoreDataPredicates
import CoreDataValues
import Testing

@Suite("Sorting in memory")
struct SortComparatorTests {
    private func sorted(_ names: [String?], _ collation: SortKey.Collation, ascending: Bool = true) throws
        -> [String?]
    {
        let objects = names.enumerated().map { index, name in
            Person(number: Int64(index), values: ["name": name.map { value(.string($0)) } ?? .null])
        }
        let comparator = SortComparator([
            SortKey(keys: ["name"], isAscending: ascending, collation: collation)
        ])
        return try comparator.sorted(objects).map { object in
            guard case .value(.string(let name)) = object.expressionValue(forKey: "name") else { return nil }
            return name
        }
    }

    @Test("Every string comparison sorts in its own order, with nil first")
    func collations() throws {
        let names = ["b", nil, "C", "a", "B"]
        #expect(try sorted(names, .standard) == [nil, "B", "C", "a", "b"])
        #expect(try sorted(names, .standard, ascending: false) == ["b", "a", "C", "B", nil])
        #expect(try sorted(names, .caseInsensitive) == [nil, "a", "b", "B", "C"])
        #expect(try sorted(["file 10", "File 9"], .localizedStandard) == ["File 9", "file 10"])
        #expect(try sorted(["é", "f", "e"], .localized) == ["e", "é", "f"])
        #expect(try sorted(["É", "f", "E"], .localizedCaseInsensitive) == ["E", "É", "f"])
    }

    @Test("Later sort keys order equal objects, and objects equal in all keys keep their order")
    func severalKeys() throws {
        let rows = [(2, 1), (1, 2), (1, 1), (2, 0)].enumerated().map { index, row in
            Person(
                number: Int64(index),
                values: ["a": value(.integer(Int64(row.0))), "b": value(.integer(Int64(row.1)))])
        }
        func numbers(_ keys: [SortKey]) throws -> [Int64] {
            try SortComparator(keys).sorted(rows).map(\.number)
        }
        #expect(
            try numbers([SortKey(keys: ["a"]), SortKey(keys: ["b"], isAscending: false)]) == [1, 2, 0, 3])
        #expect(try numbers([SortKey(keys: ["a"])]) == [1, 2, 0, 3])
    }
}
