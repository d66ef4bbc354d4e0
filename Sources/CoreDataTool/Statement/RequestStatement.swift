package import CoreDataJSON
import CoreDataModelFormat
package import CoreDataSQL
import CoreDataStore
import Foundation

/// The SQL statement of a fetch, with its values and the database's query plan. The fetch itself is not run.
package struct RequestStatement: Sendable {
    package let sql: String
    package let bindings: [SQLValue]
    /// The query plan: one line for each step, indented below the step that it belongs to.
    package let plan: [String]

    /// Compiles the fetch and asks the database for its plan.
    ///
    /// - Parameter isCount: Whether the objects are counted instead of read.
    package init(_ specification: FetchSpecification, of store: OpenedStore, isCount: Bool = false) throws {
        let model = try store.requiredModel()
        let connection = try store.connection()
        defer { connection.close() }
        let compiler = SelectCompiler(
            schema: try store.schema(connection), layouts: RowLayouts(model.compiled),
            dialect: connection.dialect)
        let query = try specification.query(in: model, shape: isCount ? .count : .rows)
        let select: SQLFragment
        do {
            select = try compiler.compile(query).select
        } catch {
            guard case .inexpressible = error.kind else { throw error }
            throw ToolError("SQL cannot express the request, so memory tests every object: \(error.message)")
        }
        (sql, bindings) = (select.sql.string, select.bindings)
        plan = try connection.plan(of: select)
    }

    // MARK: Text and JSON

    /// The statement with one line for each clause, its numbered values, and the plan.
    package var text: String {
        var lines = [Self.clauses(sql)]
        if !bindings.isEmpty {
            lines.append("")
            for (index, value) in bindings.enumerated() { lines.append("  ?\(index + 1) = \(value)") }
        }
        lines.append("")
        lines += plan.map { "  " + $0 }
        return lines.joined(separator: "\n")
    }

    package var json: JSONValue {
        .object([
            .init("sql", .string(sql)),
            .init("bindings", .array(bindings.map(Self.json))),
            .init("plan", .array(plan.map { .string($0) })),
        ])
    }

    private static func json(_ value: SQLValue) -> JSONValue {
        switch value {
        case .null: .null
        case .integer(let number): .integer(number)
        case .double(let number): .double(number)
        case .text(let text): .string(text)
        case .blob(let data): .string(data.base64EncodedString())
        case .integers(let numbers): .array(numbers.map(JSONValue.integer))
        case .texts(let texts): .array(texts.map(JSONValue.string))
        }
    }

    /// Inserts line breaks before the statement's own clauses, which are those outside of parentheses.
    private static func clauses(_ sql: String) -> String {
        var lines = ""
        var depth = 0
        var rest = Substring(sql)
        while let character = rest.first {
            if depth == 0, character == " ", let word = words.first(where: { rest.dropFirst().hasPrefix($0) })
            {
                lines += "\n" + word
                rest.removeFirst(word.count + 1)
                continue
            }
            if character == "(" { depth += 1 }
            if character == ")" { depth -= 1 }
            lines.append(character)
            rest.removeFirst()
        }
        return lines
    }

    private static let words = [
        "FROM ", "LEFT OUTER JOIN ", "JOIN ", "WHERE ", "GROUP BY ", "ORDER BY ", "LIMIT ",
    ]
}
