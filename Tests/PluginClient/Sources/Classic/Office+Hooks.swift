import CoreData

// The class is generated.
extension Office {
    public override func awakeFromInsert() {
        super.awakeFromInsert()
        city = "Zug"
    }
}
