import CoreDataPredicates
import CoreDataStore

/// A value of a fragment that each run of its statement provides: a constant of a query's predicate.
struct SQLParameter: Sendable, Equatable {
    /// Its position among the values of the fragment.
    var position: Int
    /// Its number among the constants.
    let constant: Int
    let type: BoundType
}

extension SQLFragment {
    /// Returns the fragment with constants in the places of the parameters.
    func filled(
        with constants: [ExpressionValue], by encoder: ConstantEncoder
    ) throws(StoreError) -> SQLFragment {
        var values = bindings
        for parameter in parameters {
            values[parameter.position] = try encoder.encode(constants[parameter.constant], as: parameter.type)
        }
        return SQLFragment(sql, bindings: values)
    }
}
