import CoreDataModelFormat
import CoreDataStore
import CoreDataValues

/// The meaning of names at one place of a query.
///
/// A binder has a scope and passes it on to the binders of its parts; within a sub-query, which adds a
/// variable, it passes on a changed copy. The conditions and joins that binders collect are in the
/// `SelectBuilder` of each select.
struct BindingScope {
    let frame: QueryFrame
    /// The elements of the sub-queries around, by the names of their variables.
    private(set) var variables: [String: PathPoint] = [:]
    /// The cells of a dictionary result by name, for HAVING and ORDER BY.
    var cells: [String: ResultCell] = [:]
    /// Whether functions like `sum:` may fold the rows of the statement.
    var allowsAggregates = false

    /// Opens the scope of a query.
    ///
    /// - Parameters:
    ///   - schema: The store's tables.
    ///   - dialect: The dialect that the query is written in.
    ///   - entity: The entity that is asked about.
    ///   - parameters: The numbers of constants that the query gets when it runs, by the names of their
    ///     variables.
    ///   - outer: The scope of the query that this one is nested in.
    init(
        schema: StoreSchema,
        dialect: any QueryDialect,
        entity: EntityIndex,
        parameters: [String: Int] = [:],
        within outer: BindingScope? = nil
    ) throws(StoreError) {
        frame = QueryFrame(
            schema: schema, dialect: dialect, parameters: parameters,
            root: PathPoint(rowOf: try schema.table(of: entity), within: outer?.root.select))
    }

    var schema: StoreSchema { frame.schema }
    var root: PathPoint { frame.root }

    /// Returns the scope of a predicate about the elements of a collection, where the variable names the
    /// element.
    ///
    /// - Parameter point: The element; nil hides an outer variable of that name.
    func binding(_ variable: String, to point: PathPoint?) -> BindingScope {
        var inner = self
        inner.variables[variable] = point
        inner.variables[variable]?.isMember = false
        return inner
    }

    var predicates: PredicateBinder { PredicateBinder(scope: self) }
    var expressions: ExpressionBinder { ExpressionBinder(scope: self) }
    var paths: PathBinder { PathBinder(scope: self) }
}

/// The part of a scope that never changes within one query. It is a class, so that scopes share it.
final class QueryFrame {
    let schema: StoreSchema
    let dialect: any QueryDialect
    let encoder: ConstantEncoder
    /// The numbers of constants that the query gets when it runs, by the names of their variables.
    let parameters: [String: Int]
    /// The object that is asked about.
    let root: PathPoint

    init(
        schema: StoreSchema, dialect: any QueryDialect, parameters: [String: Int], root: PathPoint
    ) {
        self.schema = schema
        self.dialect = dialect
        encoder = ConstantEncoder(schema: schema, isTyped: dialect.hasTypes)
        self.parameters = parameters
        self.root = root
    }
}

/// A cell of a dictionary result.
struct ResultCell {
    let value: BoundExpression
    /// The number of the cell's first column, counted from 1. A reference may have two columns.
    let number: Int
    /// The type that was asked for.
    let type: AttributeType
}
