/// A description of an entity, as far as stores know it: `entity == %@`.
package protocol EntityNaming {
    var entityName: String { get }
}
