public import Foundation

/// An index of an entity: which properties, in which order, over which rows.
open class NSFetchIndexDescription: NSObject, NSCoding, NSCopying {
    /// The entity the index belongs to.
    public internal(set) weak var entity: NSEntityDescription? {
        get { entityLink?.target }
        set { entityLink = newValue?.link }
    }
    private final var entityLink: Backlink<NSEntityDescription>?
    final var isFrozen = false

    public var name: String { willSet { requireMutable() } }

    public var elements: [NSFetchIndexElementDescription] {
        willSet { requireMutable() }
        didSet { adoptElements() }
    }

    /// Limits the index to the rows that satisfy it; for binary indexes only.
    public var partialIndexPredicate: NSPredicate? { willSet { requireMutable() } }

    public init(name: String, elements: [NSFetchIndexElementDescription]?) {
        self.name = name
        self.elements = elements ?? []
        super.init()
        adoptElements()
    }

    public convenience override init() {
        self.init(name: "", elements: nil)
    }

    private func adoptElements() {
        for element in elements { element.indexDescription = self }
    }

    final func freeze() {
        isFrozen = true
        for element in elements { element.isFrozen = true }
    }

    private func requireMutable() {
        if isFrozen { immutableModelError() }
    }

    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = NSFetchIndexDescription(
            name: name, elements: elements.map { $0.copy() as! NSFetchIndexElementDescription })
        copy.partialIndexPredicate = partialIndexPredicate
        return copy
    }

    open func encode(with coder: NSCoder) {
        failToEncodeDescription(self, with: coder)
    }

    public required init?(coder: NSCoder) {
        name = ""
        elements = []
        super.init()
        failToDecodeDescription(coder)
        return nil
    }

    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSFetchIndexDescription else { return false }
        return name == other.name
            && elements == other.elements
            && partialIndexPredicate.map(ModelText.text) == other.partialIndexPredicate.map(ModelText.text)
    }

    open override var hash: Int { name.hashValue }

    open override var description: String {
        "<NSFetchIndexDescription: \(entity?.name ?? "(none)").\(name), elements: \(elements), "
            + "predicate: \(partialIndexPredicate.map(ModelText.text) ?? "(null)")>"
    }
}
