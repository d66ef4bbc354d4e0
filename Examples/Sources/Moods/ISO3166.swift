/// The countries of the app by their numbers in ISO 3166-1, and the continents by theirs in UN M49, which
/// belong to the same sequence.
enum ISO3166 {
    enum Continent: Int16 {
        case africa = 2
        case oceania = 9
        case america = 19
        case asia = 142
        case europe = 150
    }

    enum Country: Int16 {
        case brazil = 76
        case france = 250
        case germany = 276
        case japan = 392
        case kenya = 404
        case newZealand = 554
        case switzerland = 756

        var continent: Continent {
            switch self {
            case .kenya: .africa
            case .newZealand: .oceania
            case .brazil: .america
            case .japan: .asia
            case .france, .germany, .switzerland: .europe
            }
        }
    }
}
