#if Overlay
/// One place of a source that Linux cannot compile as Apple's systems do, and what stands there instead.
package struct Rewrite: Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
        /// `@objc` and its like, with its arguments.
        case attribute
        /// `@objc(Name)` of a class that macros may look at, which know another attribute for the same.
        case runtimeName(String)
        /// `dynamic` of a declaration that only the Objective-C runtime could replace.
        case modifier
        /// `Foundation.` before a name that Foundation lacks here and the framework has.
        case qualifier
        /// `#keyPath(…)`, and what it leads through.
        case keyPath(KeyPathExpansion)
        /// `#selector(…)` of a comparison or a setter, and the name it stands for.
        case selector(String)
        /// `#selector(getter: …)`, which names the property.
        case getter(KeyPathExpansion)
        /// `#selector(…)` of a method, and its number among those of the file, from 1.
        case selectedMethod(Int)
        /// `as! NSFetchRequest<P>` or `as?`, and the call that stands for it.
        case retyping(String)
        /// `fetchRequest` of a class that has none of its own, for a variable without a type, and where one would go.
        case untypedRequest(type: Int)
        /// `.CoreDataDefines` after the name of a module.
        case submodule
        /// The name of a module that is not there, and the one that declares what model layers took from it.
        case module(String)
        /// The framework's method, for one that Foundation declares in another form.
        case member(String)
        /// `?` behind a requirement that a delegate may leave out, which has a default here.
        case optionalCall
        /// Another word of at most the same length.
        case replacement(String)
        /// Accessors after an `@NSManaged` property, which is a computed one then.
        case accessors(String)
        /// Overrides that extensions had, behind the opening brace of their class.
        case overrides(String)
        /// A protocol that `@objc` bound to classes.
        case classBound
    }

    /// Bytes of the file.
    package var range: Range<Int>
    package var kind: Kind

    /// Whether the ported text names something of the framework.
    var namesFramework: Bool {
        switch kind {
        case .accessors, .selector, .getter, .selectedMethod, .retyping, .untypedRequest, .member: true
        default: false
        }
    }
}
#endif
