import CoreDataStore
import CoreDataValues

extension SQLText {
    /// Returns the condition that a column is one of some numbers.
    static func isOne(of numbers: [Int64], _ column: SQLIdentifier) -> SQLText {
        numbers.count == 1 ? "\(column) = \(numbers[0])" : "\(column) IN (\(numbers.listed()))"
    }

    /// Returns `column = NULL, …`.
    static func cleared(_ columns: [SQLIdentifier]) -> SQLText {
        columns.map { "\($0) = NULL" }.joined(separator: ", ")
    }

    /// Returns `CASE column WHEN 1 THEN 2 … END`.
    static func choice(
        _ column: SQLText, _ values: [Int64: Int64], otherwise: SQLText? = nil
    ) -> SQLText {
        let cases = values.sorted(by: \.key).map { "WHEN \($0.key) THEN \($0.value)" as SQLText }
        let rest: SQLText = otherwise.map { " ELSE \($0)" } ?? ""
        return "CASE \(column) \(cases.joined(separator: " "))\(rest) END"
    }
}
