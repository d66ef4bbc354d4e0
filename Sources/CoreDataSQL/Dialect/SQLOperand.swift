/// A part of an expression with the type of its value, on which the spelling of an operation may depend.
package struct SQLOperand {
    let sql: SQLFragment
    let type: BoundType

    init(_ sql: SQLFragment, _ type: BoundType = .unknown) {
        self.sql = sql
        self.type = type
    }
}
